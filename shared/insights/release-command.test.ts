import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { type ReleasedHold, releaseText } from './release-command.ts';

const UUID = 'c3d4a1b2-0000-4000-8000-000000000001';
const hold = (part: Partial<ReleasedHold> = {}): ReleasedHold => ({
  ...{ name: 'orders:42', kind: 'lock', library: 'redisson', db: 0, holder: `${UUID}:46`, mode: 'exclusive', ...part },
});

/** The arguments that a shell passes to `redis-cli`. */
function wordsOf(part: Partial<ReleasedHold>): string[] {
  const { text = '' } = releaseText(hold(part)) ?? {};
  const script = `redis-cli() { for word in "$@"; do printf '%s\\n' "$word"; done; }; ${text}`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trimEnd().split('\n');
}

test('the command for a plain lock checks the holder, deletes the key and publishes the message', () => {
  const [command, script, ...rest] = wordsOf({});
  expect(command).toBe('EVAL');
  expect(script).toMatch(/^if redis.call\('hexists'.* return 0 end .*'del'.*'publish'.* return 1$/);
  expect(rest).toEqual(['2', 'orders:42', 'redisson_lock__channel:{orders:42}', '0', `${UUID}:46`]);
});

test('names with quotes, spaces and dollars in the release command reach Redis unchanged', () => {
  for (const name of ['a b', "it's", '$(date) `x`', 'say "hi"', '!!', "'\\''", '锁:订单', 'späte']) {
    expect(wordsOf({ name })[3], name).toBe(name);
    expect(wordsOf({ name })[4], name).toBe(`redisson_lock__channel:{${name}}`);
  }
});

test('the release command contains the number of the database', () => {
  expect(wordsOf({ db: 3 }).slice(0, 3)).toEqual(['-n', '3', 'EVAL']);
});

test('in a cluster, the release command is a call of Redisson, or EVAL for a spin lock, which sends no message', () => {
  expect(releaseText(hold({ slot: 7 }))?.text).toBe('redisson.getLock("orders:42").forceUnlock();');
  expect(wordsOf({ slot: 7, kind: 'spin-lock' }).slice(0, 2)).toEqual(['-c', 'EVAL']);
});

test('the release command of locks with a queue or with modes is a call of Redisson', () => {
  const textOf = (part: Partial<ReleasedHold>) => releaseText(hold(part))?.text;
  expect(textOf({ kind: 'fair-lock' })).toBe('redisson.getFairLock("orders:42").forceUnlock();');
  expect(textOf({ kind: 'read-write-lock', mode: 'read' })).toContain('.readLock().forceUnlock();');
  expect(textOf({ kind: 'read-write-lock', mode: 'write', name: 'a"b' })).toContain('("a\\"b").writeLock()');
});

test('the release command compares a token before it deletes the key', () => {
  const [, script, ...rest] = wordsOf({ kind: 'token-lock', library: 'redis-py', holder: 'f00d' });
  expect(script).toMatch(/^if redis.call\('get', KEYS\[1\]\) ~= ARGV\[1\] then return 0 end return redis.call\('del'/);
  expect(rest).toEqual(['1', 'orders:42', 'f00d']);
});

test('there is no release command for counters, unknown kinds, other libraries, or names that are not plain text', () => {
  for (const kind of ['semaphore', 'latch', 'expirable-semaphore', 'group-lock'] as const) {
    expect(releaseText(hold({ kind }))).toBeNull();
  }
  expect(releaseText(hold({ kindKnown: false }))).toBeNull();
  expect(releaseText(hold({ library: 'unknown' }))).toBeNull();
  for (const name of ['a\nb', 'a\u0308', '\u05d0\u05d1', '\u202eabc', ''])
    expect(releaseText(hold({ name }))).toBeNull();
});
