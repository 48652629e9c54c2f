import { describe, expect, test } from 'vitest';
import { compareTruth } from '../../e2e/support/compare/compare-truth.ts';
import { redisTime } from '../../shared/base/time.ts';
import { isOfLock, type LockEvent } from '../../shared/events/event.ts';
import { Interpreter } from '../../shared/events/interpreter.ts';
import { signalFromJson } from '../../shared/recording/parse-signal-line.ts';
import { Recorder } from '../../shared/recording/recorder.ts';
import { lineFromSignal } from '../../shared/recording/signal-line.ts';
import type { Step } from '../../shared/signals/step.ts';
import type { LockState } from '../../shared/state/lock-state.ts';
import { reduceLock } from '../../shared/state/reduce.ts';
import { stepsFromRecording } from '../stories/record-and-replay.ts';
import { type Group, linesOfServer, stepsFromGroupTrace } from '../traces/group-trace.ts';
import { CLUSTER, RESTART, readServerTrace as read, SENTINEL, sideOf } from '../traces/server-traces.ts';
import { eventsFromTrace, signalsFromTrace, stepsFromSignals } from '../traces/trace-file.ts';

function interpreted(steps: readonly Step[]): LockEvent[] {
  const interpreter = new Interpreter({ source: 'redis' });
  return steps.flatMap((step) => interpreter.interpret(step));
}

/** `type holder certainty` of the events of one lock since the failover. */
function reportedOf(events: readonly LockEvent[], lock: string): string[] {
  const failover = events.findIndex(({ type }) => type === 'failover');
  return events
    .slice(failover)
    .filter((event) => event.lock === lock && event.type.startsWith('lock.'))
    .map((event) => `${event.type} ${'holder' in event ? event.holder : ''} ${event.certainty}`);
}

function lockAfter(events: readonly LockEvent[], seq: number, lock: string): LockState | undefined {
  let state: LockState | undefined;
  for (const event of events) if (event.lock === lock && event.seq <= seq) state = reduceLock(state, event);
  return state;
}

function recordedAgain(steps: readonly Step[]): LockEvent[] {
  const live = new Interpreter({ source: 'redis' });
  const recorder = new Recorder(live);
  const lines = steps.flatMap((step) => recorder.note(step, live.interpret(step).length).map(lineFromSignal));
  const signals = lines.map((line) => {
    const signal = signalFromJson(JSON.parse(line));
    if (!signal.ok) throw new Error(`${signal.error}: ${line}`);
    return signal.value;
  });
  const fresh = new Interpreter({ source: 'redis' });
  return stepsFromRecording(signals).flatMap((step) => fresh.interpret(step));
}

const LOST: readonly { trace: string; group: Group; lock: string; a: string; b: string }[] = [
  {
    trace: 'cluster-7.0.15/failover-4.7.0.trace.gz',
    group: CLUSTER,
    lock: 'orders:42',
    a: 'e379efdc-55b6-4a42-8c0c-ce901d36999b:62',
    b: 'eda2168e-e963-4d0e-ae3c-d9c25a4221d9:62',
  },
  {
    trace: 'failover/failover-lock-lost-3.11.6.trace',
    group: SENTINEL,
    lock: 'billing:close',
    a: '2eb27848-bf74-4b64-a7bd-25768b85a896:43',
    b: '0e38fee6-01b0-4b2b-a3f4-e7b33f0519bd:46',
  },
  {
    trace: 'failover/failover-lock-lost-4.7.0.trace',
    group: SENTINEL,
    lock: 'billing:close',
    a: 'aac3dead-7112-45b4-9578-b1dada550647:48',
    b: 'bec875e9-c01f-4372-9cc3-2d8eb793a713:53',
  },
  {
    trace: 'failover/failover-lock-lost.restart-3.16.8.trace',
    group: RESTART,
    lock: 'billing:close',
    a: 'd83909cd-2a68-4137-bed5-622e48432f86:23',
    b: '92c43302-7887-4058-9dcb-e71dfc325f3d:23',
  },
  {
    // before the lease is over, only a read (in the side file of the trace) shows this loss, and no command
    trace: 'failover/failover-lock-lost.restart-4.7.0.trace',
    group: RESTART,
    lock: 'billing:close',
    a: 'f00d057c-5ce0-44f3-9d6d-e58e2d91540c:26',
    b: 'ccd697fd-d911-495a-b5c4-14084e876307:26',
  },
];

describe.each(LOST)('$trace', ({ trace, group, lock, a, b }) => {
  const steps = stepsFromGroupTrace(read(trace), group, sideOf(trace));
  const events = interpreted(steps);

  test('[X2] a hold that was never replicated is lost, once, before another client acquires the lock', () => {
    const reported = reportedOf(events, lock);
    expect(reported[0]).toBe(`lock.lost ${a} inferred`);
    expect(reported[1]).toBe(`lock.acquired ${b} observed`);
    expect(reported.filter((line) => line.startsWith('lock.lost'))).toHaveLength(1);
    const lost = events.find(({ type }) => type === 'lock.lost');
    const causes = events.filter(({ seq }) => lost?.because?.includes(seq)).map(({ type }) => type);
    expect(causes).toEqual(['lock.acquired', 'failover']);
  });

  test('[X3] the former holder still thinks it holds the lock, but there is only one holder', () => {
    const lost = events.find((event) => event.type === 'lock.lost');
    const freed = lockAfter(events, lost?.seq ?? 0, lock);
    expect(freed).toMatchObject({ holders: [], believers: [{ id: a, until: lost?.expiresAt }] });
    const taken = events.find((event) => event.type === 'lock.acquired' && event.holder === b);
    const state = lockAfter(events, taken?.seq ?? 0, lock);
    expect(state?.holders.map(({ id }) => id)).toEqual([b]);
    const isOver = (taken?.at ?? 0) >= (lost?.expiresAt ?? 0);
    expect(state?.believers.map(({ id }) => id)).toEqual(isOver ? [] : [a]);
    // by then A knows of its loss, from its unlock or its next attempt
    expect(lockAfter(events, Number.POSITIVE_INFINITY, lock)?.believers).toEqual([]);
  });

  test('a recording has the same events', () => {
    expect(recordedAgain(steps)).toEqual(events);
  });
});

test('[X2] a hold that was replicated to the new master continues', () => {
  for (const version of ['3.11.6', '4.7.0']) {
    const steps = stepsFromGroupTrace(read(`failover/failover-lock-lost-${version}.trace`), SENTINEL);
    const reported = reportedOf(interpreted(steps), 'kept:1');
    expect(reported.some((line) => line.startsWith('lock.lost'))).toBe(false);
    expect(reported.at(-1)).toContain('lock.released');
  }
});

test('a hold whose lease had ended before a command or a read showed its loss has expired, even after a failover', () => {
  const steps = stepsFromGroupTrace(read('failover/failover-lock-lost.restart-4.7.0.trace'), RESTART);
  const events = interpreted(steps).filter(({ lock }) => lock === 'billing:close');
  expect(events.filter(({ type }) => type === 'lease.expired')).toHaveLength(1);
  expect(events.filter(({ type }) => type === 'lock.lost')).toEqual([]);
});

test('[X1] a hold that is known to have been replicated was not lost: its end is reported as unseen', () => {
  const steps = stepsFromGroupTrace(read('failover/failover-lock-lost-3.11.6.trace'), SENTINEL).map((step) =>
    step.kind === 'failover' ? { ...step, replicatedUntil: step.at } : step,
  );
  const events = interpreted(steps);
  expect(reportedOf(events, 'billing:close')[0]).toMatch(/^drift\.healed|^lock\.acquired/);
  expect(events.filter(({ type }) => type === 'lock.lost')).toEqual([]);
  expect(events.find((event) => event.type === 'drift.healed')).toMatchObject({ cause: 'blind-spot', found: null });
});

test('in a cluster a waiter subscribes and is woken by SPUBLISH; WAIT and INFO are ignored', () => {
  const text = read('cluster-7.0.15/contention-4.7.0.trace.gz');
  const own = linesOfServer(text.split('\n'), '8103').join('\n');
  const events = eventsFromTrace(own, true);
  const truth = read('cluster-7.0.15/contention-4.7.0.truth').trim().split('\n');
  expect(compareTruth(truth, events)).toEqual([]);
  expect(events.map(({ lock }) => lock).every((lock) => lock === 'orders:42')).toBe(true);
  const woken = events.find((event) => event.type === 'lock.acquired' && event.wokenBy === 'message');
  const cause = events.find(({ seq }) => woken?.because?.includes(seq));
  expect(cause).toMatchObject({ type: 'wakeup.published', certainty: 'observed' });
  expect(events.some(({ type }) => type === 'waiter.subscribed')).toBe(true);
  expect(events.some(({ type }) => type === 'waiter.unsubscribed')).toBe(true);
});

test('[X4] events from key events of a replica are inferred, and do not name the client that caused them', () => {
  const text = read('cluster-7.0.15/failover-4.7.0.trace.gz').split('# master killed')[0] ?? '';
  const signals = signalsFromTrace(linesOfServer(text.split('\n'), '8105').join('\n'));
  const interpreter = new Interpreter({ source: 'redis', hasCommands: false });
  const pushes = stepsFromSignals(signals, true).flatMap((step): readonly Step[] =>
    step.kind === 'command' ? step.pushes : [step],
  );
  const [created, leased] = pushes;
  if (created?.kind !== 'push' || leased?.kind !== 'push') throw new Error('no key events');
  const fields = { [LOST[0]?.a ?? '']: '1' };
  const found = {
    db: 0,
    name: 'orders:42',
    type: 'hash',
    fields,
    pttl: 29_990,
    hasChanged: true,
    subscribers: null,
  } as const;
  const mark: Step = { kind: 'bookmark', at: redisTime(leased.at + 10_000), reads: [found] };
  const events = [created, leased, mark].flatMap((step) => interpreter.interpret(step));
  expect(events).toMatchObject([{ type: 'lock.acquired', certainty: 'inferred' }]);
  expect(events.filter(({ by }) => by !== undefined)).toEqual([]);
});

test.each(['3.51.0', '3.52.0'])(
  'a lock that no replica confirmed is reported, without drift and not as lost (%s)',
  (version) => {
    const text = read(`failover/failover-lock-lost.unconfirmed-${version}.trace`);
    const events = eventsFromTrace(linesOfServer(text.split('\n'), '0').join('\n'), true);
    expect(new Set(events.filter(isOfLock).map(({ lock }) => lock))).toEqual(new Set(['warm', 'orders:2']));
    expect(events.filter(({ type }) => type === 'drift.healed' || type === 'lock.lost')).toEqual([]);
  },
);
