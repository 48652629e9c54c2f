import { describe, expect, test } from 'vitest';
import { redisTime } from '../base/time.ts';
import type { ServerFacts, ServerSignal } from '../signals/server-signal.ts';
import type { LockEvent } from './event.ts';
import { Interpreter } from './interpreter.ts';

const FACTS: ServerFacts = {
  role: 'master',
  replicas: 1,
  replicaLagSeconds: 0,
  maxMemoryBytes: null,
  evictionPolicy: 'noeviction',
  canSave: true,
  keyEvents: 'AKE',
};
const second = (n: number) => redisTime((1_800_000_000 + n) * 1_000_000);

/** The events of these reports, each at its second. */
function eventsOf(...reports: (Partial<ServerSignal> & { s: number })[]): LockEvent[] {
  const interpreter = new Interpreter({ source: 'redis' });
  return reports.flatMap(({ s, ...report }) => {
    const signal: ServerSignal = { kind: 'server', at: second(s), since: second(s - 2), ...report };
    return interpreter.interpret(signal);
  });
}

const typesOf = (events: readonly LockEvent[]) => events.map(({ type }) => type);

describe('[I1] facts about the server', () => {
  test('facts about the server are reported first, and again when one of them changes', () => {
    const events = eventsOf(
      { s: 0, since: null, facts: FACTS },
      { s: 2, facts: FACTS },
      { s: 4, facts: { ...FACTS, replicas: 0 } },
    );
    expect(typesOf(events)).toEqual(['server.reported', 'server.reported']);
    expect(events[1]).toMatchObject({ replicas: 0, lock: '', certainty: 'observed' });
  });

  test('after a failover no facts are known about the new server until its first report', () => {
    const interpreter = new Interpreter({ source: 'redis' });
    interpreter.interpret({ kind: 'server', at: second(0), since: null, facts: FACTS });
    const failover = { how: 'promoted', from: 'a:1', to: 'b:1', replicatedUntil: null } as const;
    interpreter.interpret({ kind: 'failover', at: second(1), ...failover });
    expect(interpreter.server.facts).toBeUndefined();
    const events = interpreter.interpret({ kind: 'server', at: second(2), since: null, facts: FACTS });
    expect(typesOf(events)).toEqual(['server.reported']);
  });
});

describe('[I2] errors that Redis returns', () => {
  test('an error is reported at once, then every 10 s while it is repeated, with the number of repetitions', () => {
    const events = eventsOf(
      ...[2, 4, 6, 8, 10, 12, 14].map((s) => ({ s, errors: { OOM: 2 }, failed: { evalsha: 1 } })),
    );
    expect(events).toMatchObject([
      { type: 'server.refused', at: second(2), since: second(0), errors: { OOM: 2 }, failed: { evalsha: 1 } },
      { type: 'server.refused', at: second(12), since: second(2), errors: { OOM: 10 }, failed: { evalsha: 5 } },
    ]);
  });

  test('another error is reported at once, even while the first one is repeated', () => {
    const events = eventsOf({ s: 2, errors: { OOM: 1 } }, { s: 4, errors: { OOM: 1, MISCONF: 1 } });
    expect(events.map((event) => 'errors' in event && event.errors)).toEqual([{ OOM: 1 }, { OOM: 1, MISCONF: 1 }]);
  });

  test('errors within 10 s of a report are reported when the 10 s are over, even if the server reports nothing further', () => {
    const interpreter = new Interpreter({ source: 'redis' });
    const report = (s: number): ServerSignal => ({
      kind: 'server',
      at: second(s),
      since: second(s - 2),
      errors: { OOM: 1 },
    });
    expect(interpreter.interpret(report(2))).toHaveLength(1);
    expect(interpreter.interpret(report(4))).toEqual([]);
    expect(interpreter.interpret({ kind: 'time', at: second(11) })).toEqual([]);
    expect(interpreter.interpret({ kind: 'time', at: second(13) })).toMatchObject([{ errors: { OOM: 1 } }]);
  });
});

describe('[I3] usual errors', () => {
  test.each([
    ['a script that was not known', 0, { NOSCRIPT: 3 }, {}],
    ['probes of a client', 0, { ERR: 2 }, {}],
    ['a flood of unknown scripts', 1, { NOSCRIPT: 150 }, {}],
    ['an exporter that may not read a setting', 0, { NOPERM: 1 }, {}],
    ['a user who may not run scripts', 1, { NOPERM: 1 }, { evalsha: 1 }],
    ['a usual error beside another', 1, { NOSCRIPT: 1, READONLY: 1 }, {}],
  ])('[I3] the errors of %s are reported %i times', (_, count, errors, rejected) => {
    expect(eventsOf({ s: 2, errors, rejected })).toHaveLength(count);
  });

  test('a script that died because its PUBLISH was refused is one error', () => {
    expect(eventsOf({ s: 2, errors: { ERR: 1 }, rejected: { publish: 1 }, failed: { eval: 1 } })).toHaveLength(1);
    expect(eventsOf({ s: 2, errors: { ERR: 1 }, rejected: { publish: 1 } })).toHaveLength(0);
    expect(eventsOf({ s: 2, errors: { ERR: 1 }, failed: { eval: 1 } })).toHaveLength(0);
  });
});

test('[I4] a denial has the address of the client that was denied', () => {
  const denial = { user: 'svc', reason: 'channel', object: 'redisson_lock__channel:{a}', context: 'lua' } as const;
  const [event] = eventsOf({ s: 2, denied: [{ ...denial, by: '10.0.0.1:5', times: 2 }] });
  expect(event).toMatchObject({ type: 'server.denied', ...denial, by: '10.0.0.1:5', times: 2 });
});

test('[I5] a standstill that is seen only from the clients is inferred', () => {
  const still = { from: second(1), to: second(4) };
  const events = eventsOf(
    { s: 5, stoodStill: { ...still, shownBy: 'clients' } },
    { s: 6, stoodStill: { ...still, shownBy: 'slow-log', command: 'EVAL', by: '10.0.0.1:5' } },
  );
  expect(events).toMatchObject([
    { type: 'server.stood-still', certainty: 'inferred', ...still },
    { type: 'server.stood-still', certainty: 'observed', command: 'EVAL', by: '10.0.0.1:5' },
  ]);
});
