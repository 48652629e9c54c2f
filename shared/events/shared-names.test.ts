import { expect, test } from 'vitest';
import { holderOf, reported, seconds } from '../../testing/stories/story.ts';
import type { LineSignal } from '../signals/signal.ts';
import { World } from '../state/world.ts';
import type { LockEvent } from './event.ts';
import { Interpreter } from './interpreter.ts';

const [A, B] = [holderOf('A'), holderOf('B')];
const TOKEN = 'd14d167a847171a0e60d1e858687fe25';
const CHANNEL = 'redisson_lock__channel:{a}';

/** One name used by scripts of several kinds of lock: `EVALSHA` with the lines that MONITOR showed. */
function oneName() {
  const interpreter = new Interpreter({ source: 'redis' });
  const world = new World();
  const events: LockEvent[] = [];
  let at = 0;
  const line = (client: string | null, words: string[]): LineSignal => {
    return { kind: 'line', at: seconds(at), db: 0, client, words };
  };
  return {
    script(keys: string[], args: string[], ...inner: string[]): string[] {
      at += 0.01;
      const head = line('10.0.0.1:5000', ['EVALSHA', 'f'.repeat(40), String(keys.length), ...keys, ...args]);
      const lines = inner.map((text) => line(null, text.split(' ')));
      const made = interpreter.interpret({ kind: 'command', head, inner: lines, pushes: [] });
      for (const event of made) world.apply(event);
      events.push(...made);
      return made.map(({ kind, type }) => `${kind} ${type}`);
    },
    command(...words: string[]): void {
      const made = interpreter.interpret({
        kind: 'command',
        head: line('10.0.0.1:5001', words),
        inner: [],
        pushes: [],
      });
      for (const event of made) world.apply(event);
    },
    reported: () => reported(events.splice(0)),
    /** Holders with mode and count, from the state after these events. */
    holds: () =>
      [...world.entries()].flatMap(([, lock]) =>
        lock.holders.map((hold) => `${hold.id} ${hold.mode} ×${hold.holdCount}`),
      ),
    holders: () => [...world.entries()].flatMap(([, lock]) => lock.holders.map(({ id }) => id)),
    kind: () => [...world.entries()].map(([, { kind }]) => kind).join(),
  };
}

const acquire = (holder: string) => ['exists a', `hincrby a ${holder} 1`, 'pexpire a 30000'];

test('[V3] commands that use a held lock as a number fail, so they have no events', () => {
  const { script, holders, kind } = oneName();
  script(['a'], ['30000', A], ...acquire(A));
  expect(script(['a'], ['1'], 'get a')).toEqual([]);
  expect(script(['a', 'redisson_sc:{a}'], ['1', 'PUBLISH'], 'incrby a 1')).toEqual([]);
  expect(script(['a', 'redisson_countdownlatch__channel__{a}'], ['0', 'PUBLISH'], 'decr a')).toEqual([]);
  expect(kind()).toBe('lock');
  expect(holders()).toEqual([A]);
});

test('[V3] a token lock keeps its kind when scripts use its name as a latch and as a plain lock', () => {
  const { script, holders, kind } = oneName();
  script(['a'], [TOKEN, '5000'], 'exists a', `set a ${TOKEN} PX 5000`);
  expect(script(['a', 'redisson_countdownlatch__channel__{a}'], ['0', 'PUBLISH'], 'decr a')).toEqual([]);
  expect(script(['a'], ['30000', A], 'exists a', `hexists a ${A}`)).toEqual(['token-lock lock.refused']);
  expect(kind()).toBe('token-lock');
  expect(holders()).toEqual([TOKEN]);
});

test('[V3] if two kinds share a key, the release of one deletes the other', () => {
  const { script, holders } = oneName();
  script(['a'], ['30000', A], ...acquire(A));
  script(['a'], ['30000', `${B}:write`], 'hget a mode', 'hset a mode write', `hset a ${B}:write 1`, 'pexpire a 30000');
  const release = [`hexists a ${A}`, `hincrby a ${A} -1`, 'del a', `publish ${CHANNEL} 0`];
  script(['a', CHANNEL], ['0', '30000', A], ...release);
  expect(holders()).toEqual([]);
});

test('[V3] a free name gets the kind of its next acquisition', () => {
  const { script, kind } = oneName();
  script(['a'], [TOKEN, '5000'], 'exists a', `set a ${TOKEN} PX 5000`);
  script(['a'], [TOKEN], 'get a', 'del a');
  script(['a'], ['30000', A], ...acquire(A));
  expect(kind()).toBe('lock');
  script(['a', CHANNEL], ['0', '30000', A], `hexists a ${A}`, `hincrby a ${A} -1`, 'del a', `publish ${CHANNEL} 0`);
  expect(script(['a'], [TOKEN, '5000'], 'exists a', `set a ${TOKEN} PX 5000`)).toContain('token-lock lock.acquired');
});

const unlock = (holder: string, left: number) => [
  ...[`hexists a ${holder}`, `hincrby a ${holder} -1`],
  ...(left > 0 ? ['pexpire a 30000'] : ['del a', `publish ${CHANNEL} 0`]),
];
const timeout = (holder: string) => `{a}:${holder}:rwlock_timeout:1`;
const read = (holder: string) => [
  ...['hget a mode', 'hset a mode read', `hset a ${holder} 1`, `set ${timeout(holder)} 1`],
  ...[`pexpire ${timeout(holder)} 30000`, 'pexpire a 30000'],
];
const readArgs = (holder: string) => ['30000', holder, `${holder}:write`];
const RW_CHANNEL = 'redisson_rwlock:{a}';
const unread = (holder: string) => [
  ...['hget a mode', `hexists a ${holder}`, `hincrby a ${holder} -1`, `hdel a ${holder}`, `del ${timeout(holder)}`],
  ...['hlen a', 'del a', `publish ${RW_CHANNEL} 0`],
];

test('[H2] [V3] a reader that acquires a plain lock of the same name has one hold with count 2', () => {
  const { script, reported, holds } = oneName();
  script(['a', timeout(A)], readArgs(A), ...read(A));
  script(['a'], ['30000', A], 'exists a', `hexists a ${A}`, `hincrby a ${A} 1`, 'pexpire a 30000');
  expect(holds()).toEqual([`${A} read ×2`]);
  script(['a', CHANNEL], ['0', '30000', A], ...unlock(A, 1));
  expect(holds()).toEqual([`${A} read ×1`]);
  script(['a', RW_CHANNEL, timeout(A), '{a}'], ['0', A, 'PUBLISH'], ...unread(A));
  expect(holds()).toEqual([]);
  script(['a'], ['30000', B], ...acquire(B));
  expect(holds()).toEqual([`${B} exclusive ×1`]);
  expect(reported()).toEqual([
    ...['lock.acquired A ×1', 'lock.reentered A ×2', 'lock.partially-released A ×1', 'lock.released A ×0'],
    ...['wakeup.published', 'lock.learned', 'lock.acquired B ×1'],
  ]);
});

test('[H2] [V3] a holder of a plain lock that then acquires a read lock of the same name overwrites its own field', () => {
  const { script, holds } = oneName();
  script(['a'], ['30000', A], ...acquire(A));
  script(['a', timeout(A)], readArgs(A), ...read(A));
  expect(holds()).toEqual([`${A} read ×1`]);
  script(['a', CHANNEL], ['0', '30000', A], ...unlock(A, 0));
  expect(holds()).toEqual([]);
});

test('[V3] a reader acquires a lock beside the holder of a plain lock, and deletes that hold with its own release', () => {
  const { script, reported, holds } = oneName();
  script(['a'], ['30000', A], ...acquire(A));
  script(['a', timeout(B)], readArgs(B), ...read(B));
  expect(holds()).toEqual([`${A} exclusive ×1`, `${B} read ×1`]);
  script(['a'], ['30000', A], `hexists a ${A}`, 'pexpire a 30000');
  expect(holds()).toEqual([`${A} exclusive ×1`, `${B} read ×1`]);
  const scan = [`hkeys a`, `hget a ${A}`, `pttl ${timeout(A)}`, 'del a', `publish ${RW_CHANNEL} 0`];
  script(['a', RW_CHANNEL, timeout(B), '{a}'], ['0', B, 'PUBLISH'], ...unread(B).slice(0, 6), ...scan);
  expect(holds()).toEqual([]);
  expect(reported()).toEqual([
    ...['lock.acquired A ×1', 'lock.learned', 'lock.acquired B ×1', 'lease.renewed A'],
    ...['lock.released B ×0', 'lock.deleted A', 'wakeup.published'],
  ]);
});

test('[V3] a plain lock on the name of a former read-write lock has one exclusive holder', () => {
  const { script, command, holds, kind } = oneName();
  command('SUBSCRIBE', RW_CHANNEL);
  script(['a', timeout(A)], readArgs(A), ...read(A));
  script(['a', RW_CHANNEL, timeout(A), '{a}'], ['0', A, 'PUBLISH'], ...unread(A));
  expect(script(['a'], ['30000', B], ...acquire(B))).toEqual(['lock lock.learned', 'lock lock.acquired']);
  expect(script(['a'], ['30000', B], `hexists a ${B}`, 'pexpire a 30000')).toEqual(['lock lease.renewed']);
  expect(holds()).toEqual([`${B} exclusive ×1`]);
  command('UNSUBSCRIBE', RW_CHANNEL);
  expect(kind()).toBe('lock');
  script(['a', CHANNEL], ['0', '30000', B], ...unlock(B, 0));
  expect(holds()).toEqual([]);
  script(['a', timeout(A)], readArgs(A), ...read(A));
  expect(kind()).toBe('read-write-lock');
});
