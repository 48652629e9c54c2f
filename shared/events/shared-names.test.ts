import { expect, test } from 'vitest';
import type { LineSignal } from '../signals/signal.ts';
import { World } from '../state/world.ts';
import { holderOf, seconds } from '../testing/story.ts';
import type { LockEvent } from './event.ts';
import { Interpreter } from './interpreter.ts';

const [A, B] = [holderOf('A'), holderOf('B')];
const TOKEN = 'd14d167a847171a0e60d1e858687fe25';
const CHANNEL = 'redisson_lock__channel:{a}';

/** A name, and what scripts that know it as different things do to it: `EVALSHA` with the lines that Redis showed. */
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
    holders: () => [...world.entries()].flatMap(([, lock]) => lock.holders.map(({ id }) => id)),
    kind: () => [...world.entries()].map(([, { kind }]) => kind).join(),
  };
}

const acquire = (holder: string) => ['exists a', `hincrby a ${holder} 1`, 'pexpire a 30000'];

test('[V3] numbers that a held lock was taken for are no events: those commands failed', () => {
  const { script, holders, kind } = oneName();
  script(['a'], ['30000', A], ...acquire(A));
  expect(script(['a'], ['1'], 'get a')).toEqual([]);
  expect(script(['a', 'redisson_sc:{a}'], ['1', 'PUBLISH'], 'incrby a 1')).toEqual([]);
  expect(script(['a', 'redisson_countdownlatch__channel__{a}'], ['0', 'PUBLISH'], 'decr a')).toEqual([]);
  expect(kind()).toBe('lock');
  expect(holders()).toEqual([A]);
});

test('[V3] a lock with a token stays one, whoever counts on its name', () => {
  const { script, holders, kind } = oneName();
  script(['a'], [TOKEN, '5000'], 'exists a', `set a ${TOKEN} PX 5000`);
  expect(script(['a', 'redisson_countdownlatch__channel__{a}'], ['0', 'PUBLISH'], 'decr a')).toEqual([]);
  expect(script(['a'], ['30000', A], 'exists a', `hexists a ${A}`)).toEqual(['token-lock lock.refused']);
  expect(kind()).toBe('token-lock');
  expect(holders()).toEqual([TOKEN]);
});

test('[V3] two kinds with one key: who releases the one deletes the other', () => {
  const { script, holders } = oneName();
  script(['a'], ['30000', A], ...acquire(A));
  script(['a'], ['30000', `${B}:write`], 'hget a mode', 'hset a mode write', `hset a ${B}:write 1`, 'pexpire a 30000');
  const release = [`hexists a ${A}`, `hincrby a ${A} -1`, 'del a', `publish ${CHANNEL} 0`];
  script(['a', CHANNEL], ['0', '30000', A], ...release);
  expect(holders()).toEqual([]);
});

test('[V3] a free name is whatever is taken next', () => {
  const { script, kind } = oneName();
  script(['a'], [TOKEN, '5000'], 'exists a', `set a ${TOKEN} PX 5000`);
  script(['a'], [TOKEN], 'get a', 'del a');
  script(['a'], ['30000', A], ...acquire(A));
  expect(kind()).toBe('lock');
  script(['a', CHANNEL], ['0', '30000', A], `hexists a ${A}`, `hincrby a ${A} -1`, 'del a', `publish ${CHANNEL} 0`);
  expect(script(['a'], [TOKEN, '5000'], 'exists a', `set a ${TOKEN} PX 5000`)).toContain('token-lock lock.acquired');
});
