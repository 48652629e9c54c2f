import { expect, test } from 'vitest';
import { Interpreter } from '../../../../shared/events/interpreter.ts';
import { command, type Sent, script, stepsAt } from '../../../../testing/stories/script-story.ts';
import { holderOf } from '../../../../testing/stories/story.ts';
import type { AclEntry } from '../../../redis/reads/server-logs.ts';
import { deniedLock } from './denied-locks.ts';

const [WEB, JOBS, CACHE] = ['10.0.0.1:1', '10.0.0.2:1', '10.0.0.3:1'];
const TOKEN = '3f0c9a52-8d14-4d0e-9a37-0d9d1f0c2b11';
const TOKEN_LOCK = [
  command(WEB, `SET lock:order ${TOKEN} NX PX 30000`),
  script(WEB, 'lock:order', TOKEN, 'get lock:order', 'del lock:order'),
  command(WEB, `SET lock:order ${TOKEN} NX PX 30000`),
];
const HOLDER = holderOf('A');
const REDISSON_LOCK = [
  script(JOBS, 'orders', `30000 ${HOLDER}`, ...['exists orders', `hincrby orders ${HOLDER} 1`, 'pexpire orders 30000']),
];

/** What an entry is after these commands. */
function denied(entry: Partial<AclEntry> & Pick<AclEntry, 'reason' | 'object'>, sent: readonly Sent[] = []) {
  const interpreter = new Interpreter({ source: 'story' });
  for (const step of stepsAt(sent.map((each, n) => ({ sent: each, atMs: n * 100 })))) interpreter.interpret(step);
  const unknown = { user: 'app', context: 'toplevel', by: CACHE, db: 0, name: '', count: 1 } as const;
  return deniedLock({ ...unknown, ...entry }, interpreter);
}

test('a refused SET may concern a lock if token locks are known, and certainly does on a connection that acquired one', () => {
  const set = { reason: 'command', object: 'set' } as const;
  expect(denied(set)).toBeUndefined();
  expect(denied(set, REDISSON_LOCK)).toBeUndefined();
  expect(denied(set, TOKEN_LOCK)).toBe('guess');
  expect(denied({ ...set, by: WEB }, TOKEN_LOCK)).toBe('sure');
});

test('a refused release concerns a lock only on a connection that acquired one', () => {
  for (const object of ['del', 'eval', 'evalsha', 'fcall', 'delex']) {
    expect(denied({ reason: 'command', object }, TOKEN_LOCK)).toBeUndefined();
    expect(denied({ reason: 'command', object, by: WEB }, TOKEN_LOCK)).toBe('sure');
  }
  expect(denied({ reason: 'command', object: 'hgetall', by: WEB }, TOKEN_LOCK)).toBeUndefined();
});

test("a refused command of Redisson's scripts concerns a lock on a connection of one of its clients", () => {
  const publish = { reason: 'command', object: 'publish' } as const;
  expect(denied(publish, REDISSON_LOCK)).toBeUndefined();
  expect(denied({ ...publish, by: JOBS }, REDISSON_LOCK)).toBe('sure');
});

test('a refused key or channel concerns a lock if the lock is known, or if the name looks like that of a lock', () => {
  expect(denied({ reason: 'key', object: 'lock:order' })).toBe('sure');
  expect(denied({ reason: 'key', object: 'redisson_lock_queue:{orders}' })).toBe('sure');
  expect(denied({ reason: 'key', object: 'orders' })).toBeUndefined();
  expect(denied({ reason: 'key', object: 'orders' }, REDISSON_LOCK)).toBe('sure');
  expect(denied({ reason: 'channel', object: 'redisson_lock__channel:{orders}' })).toBe('sure');
  expect(denied({ reason: 'channel', object: 'news' })).toBeUndefined();
});

test('what Lockscope itself was denied does not concern a lock', () => {
  expect(denied({ reason: 'key', object: 'lock:order', name: 'lockscope' })).toBeUndefined();
  expect(denied({ reason: 'command', object: 'set', by: WEB, name: 'lockscope' }, TOKEN_LOCK)).toBeUndefined();
});
