import { describe, expect, test } from 'vitest';
import { recordAndReplay, recordedSteps } from '../../testing/stories/record-and-replay.ts';
import { stepsFromSignals } from '../../testing/traces/trace-file.ts';
import { redisTime } from '../base/time.ts';
import { Interpreter } from '../events/interpreter.ts';
import type { LineSignal, Signal } from '../signals/signal.ts';
import type { Step } from '../signals/step.ts';
import { Recorder } from './recorder.ts';
import { lineFromSignal } from './signal-line.ts';

const HOLDER = '0d5d9d1c-5c12-4b4c-9d1a-2b1a5e1e7f11:62';

const at = (ms: number) => redisTime(1_760_000_000_000_000 + ms * 1000);
const line = (ms: number, ...words: string[]): LineSignal => ({
  kind: 'line',
  at: at(ms),
  db: 0,
  client: 'c:1',
  words,
});
const bookmark = (ms: number, name: string, fields: Record<string, string>, type = 'hash', pttl = 30_000): Signal => ({
  kind: 'bookmark',
  at: at(ms),
  reads: [{ db: 0, name, type, fields, pttl, hasChanged: false, subscribers: null }],
});
const heldLock = bookmark(0, 'orders:42', { [HOLDER]: '1' });

test.each(['SET', 'GETSET'])(
  'a lock that the user named is recorded with its tokens, without other values: %s',
  (overwrite) => {
    const live = new Interpreter({ source: 'redis', isNamed: (name) => name.startsWith('mutex:') });
    const recorder = new Recorder(live);
    const run = (ms: number, ...words: string[]): Step => ({
      kind: 'command',
      head: line(ms, ...words),
      inner: [],
      pushes: [],
    });
    const read = {
      ...{ db: 0, name: 'mutex:1', type: 'string', fields: {}, pttl: 5000, hasChanged: false },
      subscribers: null,
    };
    const steps: Step[] = [
      run(0, 'SET', 'seen:1', 'secret', 'NX', 'PX', '5000'),
      run(1, 'SET', 'mutex:1', 'worker-1', 'NX', 'PX', '5000'),
      { kind: 'bookmark', at: at(2), reads: [{ ...read, companions: { token: ['worker-1'] } }] },
      run(3, 'SET', 'mutex:1', 'worker-2', 'NX', 'PX', '5000'),
      run(4, 'GETEX', 'mutex:1', 'PX', '9000'),
      run(5, 'SETEX', 'mutex:1', '20', 'worker-1'),
      { kind: 'bookmark', at: at(6), reads: [{ ...read, pttl: 20_000, companions: { token: ['worker-1'] } }] },
      run(7, overwrite, 'mutex:1', 'secret', ...(overwrite === 'SET' ? ['Px', '1000'] : [])),
      ...(overwrite === 'SET' ? [run(2000, 'SET', 'mutex:1', 'worker-2', 'NX', 'PX', '5000')] : []),
    ];
    const lines: string[] = [];
    const events = steps.flatMap((step) => {
      const made = live.interpret(step);
      lines.push(...recorder.note(step, made.length).map(lineFromSignal));
      return made;
    });
    const again = overwrite === 'SET' ? ['lock.acquired'] : []; // by then, the value `secret` has expired
    expect(events.map(({ type }) => type)).toEqual([
      ...['lock.acquired', 'lock.refused', 'lease.renewed', 'lease.renewed', 'lock.deleted', ...again],
    ]);
    const fresh = new Interpreter({ source: 'redis' });
    expect(recordedSteps(lines).flatMap((step) => fresh.interpret(step))).toEqual(events);
    expect(lines.join('')).not.toContain('secret');
  },
);

describe('only lock fields are kept', () => {
  test.each<[string, Signal]>([
    ['a value', line(10, 'SET', 'orders:42', 'secret')],
    ['a value that may not be set', line(10, 'SET', 'orders:42', 'secret', 'NX')],
    ['a value set with another', line(10, 'MSET', 'secret', 'secret', 'orders:42', 'secret')],
    ['a key that is copied', line(10, 'COPY', 'secret', 'orders:42', 'DB', 'secret', 'REPLACE')],
    ['a dump', line(10, 'RESTORE', 'orders:42', '0', 'secret', 'REPLACE')],
    ['a field', line(10, 'HDEL', 'orders:42', HOLDER, 'secret')],
    ['a key deleted with a lock', line(10, 'DEL', 'secret', 'orders:42')],
    ['a new name', line(10, 'RENAME', 'orders:42', 'secret')],
    ['a word in place of a database number', line(10, 'SWAPDB', '0', '1', 'secret')],
    ['a channel subscribed with a lock’s', line(10, 'SUBSCRIBE', 'secret', 'redisson_lock__channel:{orders:42}')],
    ['a password', line(10, 'HELLO', '3', 'AUTH', 'user', 'secret', 'SETNAME', 'secret')],
    ['a key that is read', bookmark(10, 'secret', { secret: 'secret' })],
    ['a field beside a holder’s', bookmark(10, 'orders:42', { [HOLDER]: '1', secret: 'secret' })],
    ['a value in place of a lock', bookmark(10, 'orders:42', { secret: 'secret' })],
    ['a message', { kind: 'push', at: at(10), channel: '__keyevent@0__:expired', message: 'secret' }],
    [
      'a connection',
      {
        kind: 'clients',
        at: at(10),
        clients: [{ address: 'c:9', name: 'secret', library: '', ageSeconds: 1, idleSeconds: 1 }],
      },
    ],
  ])('a recording gives the same events without the secret in %s', (_what, signal) => {
    const steps = stepsFromSignals([heldLock, signal, line(60_000, 'GET', 'secret')], true);
    const { events, replayed, lines } = recordAndReplay(steps);
    expect(events.length).toBeGreaterThan(0);
    expect(replayed).toEqual(events);
    expect(lines.join('\n')).not.toContain('secret');
  });

  test.each([
    [0, 'RENAME secret orders:42'],
    [7, 'MOVE orders:42 0'],
    [7, 'COPY secret orders:42 DB 0'],
    [0, 'RESTORE orders:42 0 secret'],
  ])('a lock that appears again is recorded: in database %i, %s', (db, command) => {
    const back = { ...line(20, ...command.split(' ')), db };
    const read = bookmark(30, 'orders:42', { [HOLDER]: '1' });
    const steps = stepsFromSignals([heldLock, line(10, 'MOVE', 'orders:42', '7'), back, read], true);
    const { events, replayed, lines } = recordAndReplay(steps);
    expect(events.map(({ type }) => type)).toEqual(['lock.found', 'lock.deleted', 'lock.found']);
    expect(replayed).toEqual(events);
    expect(lines.join('\n')).not.toContain('secret');
  });

  test('a renewal of a group lock without a holder is not recorded if the lock is unknown', () => {
    const words = ['EVAL', 'return 0', '1', 'secret', '1000', '1760000000000', '', 'SecretSessionId0123456'];
    const renewal = [line(10, ...words), { ...line(10, 'exists', 'secret'), client: null }];
    const { events, lines } = recordAndReplay(stepsFromSignals([heldLock, ...renewal], true));
    expect(events).toHaveLength(1);
    expect(lines.join('\n').toLowerCase()).not.toContain('secret');
  });

  test('a recording of two SWAPDB that take a lock away and bring it back gives the same events', () => {
    const swaps = [line(10, 'SWAPDB', '0', '3'), line(20, 'SWAPDB', '3', '0')];
    const steps = stepsFromSignals([heldLock, ...swaps, bookmark(30, 'orders:42', { [HOLDER]: '1' })], true);
    const { events, replayed } = recordAndReplay(steps);
    expect(events.map(({ type }) => type)).toEqual(['lock.found', 'lock.deleted', 'lock.found']);
    expect(replayed).toEqual(events);
  });

  test('a script of the application that deletes a lock is recorded without its other keys', () => {
    const script = { ...line(10, 'EVAL', `<script ${'a'.repeat(40)}>`, '1', 'secret', 'secret'), client: 'c:2' };
    const lua = (...words: string[]): LineSignal => ({ ...line(10, ...words), client: null });
    const steps = stepsFromSignals([heldLock, script, lua('set', 'secret', 'x'), lua('del', 'orders:42')], true);
    const { events, replayed, lines } = recordAndReplay(steps);
    expect(events.map(({ type }) => type)).toEqual(['lock.found', 'lock.deleted']);
    expect(replayed).toEqual(events);
    expect(lines.join('\n')).not.toContain('secret');
  });

  test('other arguments and values of a lock script are not recorded', () => {
    const head = line(10, 'EVALSHA', 'b'.repeat(40), '1', 'orders:7', '30000', HOLDER, 'secret');
    const lua = (...words: string[]): LineSignal => ({ ...line(10, ...words), client: null });
    const inner = [
      lua('exists', 'orders:7'),
      lua('hincrby', 'orders:7', HOLDER, '1'),
      lua('pexpire', 'orders:7', '30000'),
      lua('set', 'x', 'secret'),
    ];
    const { events, replayed, lines } = recordAndReplay(stepsFromSignals([head, ...inner], true));
    expect(events.map(({ type }) => type)).toEqual(['lock.acquired']);
    expect(replayed).toEqual(events);
    expect(lines.join('\n')).not.toContain('secret');
  });
});

test('the passing of time is recorded only if it caused an event', () => {
  const quiet = Array.from({ length: 1000 }, (_, n) => line(n * 100, 'GET', 'x'));
  const { events, replayed, lines } = recordAndReplay(stepsFromSignals([heldLock, ...quiet], true));
  expect(events.map(({ type }) => type)).toEqual(['lock.found', 'lease.expired']);
  expect(replayed).toEqual(events);
  expect(lines).toHaveLength(2);
});

test('without commands, a recording gives the same deletion and wake-up, without other keys', () => {
  const push = (ms: number, channel: string, message: string): Signal => ({
    kind: 'push',
    at: at(ms),
    channel,
    message,
  });
  const steps = stepsFromSignals(
    [
      heldLock,
      push(100, '__keyevent@0__:del', 'orders:42'),
      push(200, '__keyevent@0__:hset', 'secret'),
      bookmark(300, 'orders:42', { [HOLDER]: '1' }),
      push(400, '__keyevent@0__:del', 'orders:42'),
      push(401, 'redisson_lock__channel:{orders:42}', '0'),
    ],
    true,
  );
  const { events, replayed, lines } = recordAndReplay(steps, false);
  expect(events.map(({ type }) => type)).toContain('lock.deleted');
  expect(events.map(({ type }) => type)).toContain('wakeup.published');
  expect(replayed).toEqual(events);
  expect(lines.join('\n')).not.toContain('secret');
});
