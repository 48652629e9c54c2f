import { expect, test } from 'vitest';
import { textFromBinary } from '../base/bytes-text.ts';
import { parseMonitorLine } from './monitor-line.ts';

function words(line: string): readonly string[] {
  const parsed = parseMonitorLine(line);
  if (!parsed.ok) throw new Error(parsed.error.reason);
  return parsed.value.words;
}

test('a MONITOR line gives time, database, client and words', () => {
  expect(parseMonitorLine('1795218454.496776 [3 127.0.0.1:49168] "EXISTS" "orders:42"')).toEqual({
    ok: true,
    value: { kind: 'line', at: 1795218454496776, db: 3, client: '127.0.0.1:49168', words: ['EXISTS', 'orders:42'] },
  });
});

test('a MONITOR line of a script has no client', () => {
  expect(parseMonitorLine('1795218454.000006 [0 lua] "exists" ""')).toMatchObject({
    value: { client: null, at: 1795218454000006, words: ['exists', ''] },
  });
});

test.each([
  ['1.000001 [0 [::1]:6379] "PING"', '[::1]:6379'],
  ['1.000001 [0 unix:/run/redis.sock] "PING"', 'unix:/run/redis.sock'],
])('the MONITOR line %s has the client address %s', (line, client) => {
  expect(parseMonitorLine(line)).toMatchObject({ value: { client } });
});

test('quotes, backslashes, bytes and control characters are unescaped', () => {
  expect(words(String.raw`1.000001 [0 c:1] "SET" "q\"\\\" x" "\xe6\xb1\x89\n\a" "\xff"`)).toEqual([
    'SET',
    String.raw`q"\" x`,
    '汉\n\x07',
    '\\xff',
  ]);
});

test('a word may end with a backslash', () => {
  expect(words(String.raw`1.000001 [0 c:1] "GET" "a\\" "b"`)).toEqual(['GET', 'a\\', 'b']);
});

test('a line whose quotes are not escaped can be read', () => {
  expect(words(String.raw`1.000001 [0 lua] "exists" "quote"and\slash" "\xe6\xb1\x89"`)).toEqual([
    'exists',
    String.raw`quote"and\slash`,
    '汉',
  ]);
});

test.each([
  ['bytes with a backslash in the middle', String.raw`"\xe4\\xdd"`, '\xe4\\\xdd'],
  ['bytes with a backslash at their end', String.raw`"\x13\"`, '\x13\\'],
  ['bytes with a tab', String.raw`"\t\xe4"`, '\t\xe4'],
  ['an id with a backslash before an n', String.raw`"\xe4\n\x8a\t0123456789"`, '\xe4\\n\x8a\\t0123456789'],
  ['an id with a line break', String.raw`"\xe4\n\x8a\t0123456789ab"`, '\xe4\n\x8a\t0123456789ab'],
  ['a name of fifteen characters with a tab', String.raw`"tenants of \t 42"`, 'tenants of \t 42'],
  ['a name with a tab', String.raw`"a b\tc"`, 'a b\tc'],
  ['a name with a backslash', String.raw`"and\slash"`, String.raw`and\slash`],
])('the line of a server that is known not to escape backslashes is read: %s', (_, written, bytes) => {
  const parsed = parseMonitorLine(`1.000001 [0 lua] "zadd" ${written}`, true);
  expect(parsed).toMatchObject({ value: { words: ['zadd', textFromBinary(bytes)] } });
});

test.each(['', 'OK', '1.2 [0 c] PING', '1.000001 [0 c:1] "GET" "cut', '1.000001 [0 c:1] "', 'x.1 [0 c:1] "GET"'])(
  'the malformed MONITOR line %j gives an error value, and no exception',
  (line) => {
    expect(parseMonitorLine(line).ok).toBe(false);
  },
);

test.each([
  ['not a line', 'head'],
  ['1.000001 [0 127.0.0.1:1] "PING', 'words'],
])('the reason that is given for %s names no part of it', (line, reason) => {
  expect(parseMonitorLine(line)).toMatchObject({ ok: false, error: { reason } });
});
