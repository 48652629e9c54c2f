import { expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import type { KeyRead, LineSignal } from '../../../shared/signals/signal.ts';
import { redactedLines } from './redacted-lines.ts';

const LOCK = 'orders:42';
const HOLDER = '9a92fa0b-27b4-4395-a14c-85668696be8b:62';

function line(client: string | null, ...words: string[]): LineSignal {
  return { kind: 'line', at: redisTime(1_795_218_454_496_776), db: 0, client, words };
}

test('a lock script shows its own fields and hides another argument', () => {
  const head = line('c:1', 'EVALSHA', 'a'.repeat(40), '1', LOCK, '30000', HOLDER, 'pin 4711');
  const inner = [
    line(null, 'exists', LOCK),
    line(null, 'hincrby', LOCK, HOLDER, '1'),
    line(null, 'pexpire', LOCK, '30000'),
  ];
  const lines = redactedLines({ kind: 'command', head, inner, pushes: [] }, LOCK);
  expect(lines).toHaveLength(4);
  expect(lines[0]).toContain(`"${LOCK}" "30000" "${HOLDER}" "…"`);
  expect(lines.join()).not.toContain('4711');
});

test('a renewal whose script Redis does not have shows its fields as well', () => {
  const sha = '6a3d31570dc6f4b0bd32bcdc8e75667747c6f635';
  const shown = (...args: string[]) => {
    const head = line('c:1', 'EVALSHA', sha, '1', LOCK, ...args);
    return redactedLines({ kind: 'command', head, inner: [], pushes: [] }, LOCK).join();
  };
  expect(shown('30000', HOLDER)).toContain(`"${sha}" "1" "${LOCK}" "30000" "${HOLDER}"`);
  expect(shown('30000', 'pin 4711')).not.toContain('4711');
  expect(shown('pin 4711', HOLDER)).not.toContain('4711');
});

test('a plain command that is not an attempt shows only its name and the lock', () => {
  const head = line('c:1', 'SET', LOCK, 'secret', 'EX', '4711');
  expect(redactedLines({ kind: 'command', head, inner: [], pushes: [] }, LOCK)[0]).toContain(
    `"SET" "${LOCK}" "…" "…" "…"`,
  );
});

test('a hash with a field that no lock has shows no values', () => {
  const fields = { [HOLDER]: 'secret', pin: 'secret' };
  const read: KeyRead = { db: 0, name: LOCK, type: 'hash', fields, pttl: -1, hasChanged: false, subscribers: null };
  const [shown] = redactedLines({ kind: 'bookmark', at: redisTime(1), reads: [read] }, LOCK);
  expect(shown).toContain(LOCK);
  expect(shown).not.toContain('secret');
});

test('the token of an attempt by a plain command is shown, and other values are not', () => {
  const shown = (...words: string[]) => {
    const head = { kind: 'line', at: redisTime(1_795_218_454_496_776), db: 0, client: '127.0.0.1:1', words } as const;
    return redactedLines({ kind: 'command', head, inner: [], pushes: [] }, 'orders:42').join();
  };
  const token = '8b6ead8ee54611f18a0402fc00000001';
  expect(shown('SET', 'orders:42', token, 'NX', 'PX', '3000')).toContain(token);
  expect(shown('SET', 'orders:42', 'a secret', 'NX', 'PX', '3000')).not.toContain('secret');
  expect(shown('SET', 'orders:42', token)).not.toContain(token);
});

test('long names and lists are cut, with the length of the name or the number of elements left out', () => {
  const name = 'x'.repeat(1_000_000);
  const inner = Array.from({ length: 3000 }, () => line(null, 'exists', name));
  const keys = Array.from({ length: 3000 }, () => name);
  const push = { kind: 'push', at: redisTime(1), channel: `redisson_lock__channel:{${name}}`, message: '0' } as const;
  const lines = redactedLines({ kind: 'command', head: line('c:1', 'DEL', ...keys), inner, pushes: [push] }, name);
  expect(lines[0]).toContain('… (1000000 characters)');
  expect(lines[0]).toContain(' … and 2501 more');
  expect(lines[500]).toBe('… and 2501 more');
  expect(lines[501]).toContain('… (1000025 characters)');
  expect(lines[0]?.length).toBeLessThan(1_100_000);
  const fields = { [`${HOLDER}:write`]: '1', [HOLDER]: '1' };
  const read: KeyRead = { db: 0, name, type: 'hash', fields, pttl: -1, hasChanged: false, subscribers: null };
  const companions = { queue: Array.from({ length: 1000 }, () => HOLDER) };
  const [shown] = redactedLines({ kind: 'bookmark', at: redisTime(1), reads: [{ ...read, companions }] }, name);
  expect(shown?.length).toBeLessThan(12_000);
});

test('a field notification shows the fields of holders, and no other field', () => {
  const shown = (message: string) => {
    const channel = '__subkeyevent@0__:hset';
    return redactedLines({ kind: 'push', at: redisTime(1), channel, message }, LOCK).join();
  };
  expect(shown(`9:${LOCK}|39:${HOLDER}`)).toBe(`> __subkeyevent@0__:hset 9:${LOCK}|39:${HOLDER}`);
  for (const message of [`9:${LOCK}|6:secret`, `9:${LOCK}|39:${HOLDER},6:secret`, '5:other|6:secret', 'secret'])
    expect(shown(message)).not.toContain('secret');
});
