import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { LineReader } from './line-reader.ts';

function read(reader: LineReader, line: string) {
  const buffer = Buffer.from(`+${line}\r\n`, 'latin1');
  return reader.read(buffer, 1, buffer.length - 2);
}

function lineOf(reader: LineReader, line: string) {
  const found = read(reader, line);
  if (found === 'other' || !found.ok) throw new Error(`not read: ${line}`);
  return found.value;
}

test('a line that cannot matter does not become a signal', () => {
  expect(read(new LineReader(), '1.000001 [0 c:1] "GET" "a"')).toBe('other');
});

test('a line that cannot be read is rejected with a reason', () => {
  expect(read(new LineReader(), '1795218454.496776 [0 127.0.0.1:1] "EVAL" "x')).toMatchObject({ ok: false });
});

test.each([
  ['EVAL', '"EVAL" "return 1" "0"', 1],
  ['eval_ro', '"eval_ro" "return 1" "0"', 1],
  ['SCRIPT LOAD', '"SCRIPT" "LOAD" "return 1"', 2],
])('%s shows its script as a SHA1, not as text', (_, words, at) => {
  const line = lineOf(new LineReader(), `1795218454.496776 [0 127.0.0.1:1] ${words}`);
  expect(line.words[at]).toBe(`<script ${createHash('sha1').update('return 1').digest('hex')}>`);
  expect(JSON.stringify(line)).not.toContain('return 1');
});

test('a line can be read again from its place', () => {
  const reader = new LineReader();
  const head = lineOf(reader, '1795218454.496776 [0 127.0.0.1:1] "EVAL" "return 1" "1" "orders:42"');
  read(reader, '1795218454.496777 [0 127.0.0.1:1] "GET" "a"');
  const { place: _, ...inner } = lineOf(reader, '1795218454.496778 [0 lua] "exists" "orders:42"');
  const again = reader.again(head.place ?? -1, 2);
  expect(again?.[0]?.words).toEqual(head.words);
  expect(again?.[1]).toEqual(inner);
});

test('a line is read again with the escapes of its own server, even if another server is watched now', () => {
  const reader = new LineReader();
  const head = '1795218454.496776 [0 127.0.0.1:1] "EVALSHA"';
  reader.isUnescaped = true;
  const bare = lineOf(reader, `${head} "a"b\\c"`);
  reader.isUnescaped = false;
  const escaped = lineOf(reader, `${head} "a\\\\x41"`);
  expect([bare.words[1], escaped.words[1]]).toEqual(['a"b\\c', 'a\\\\x41']);
  reader.isUnescaped = true;
  expect(reader.again(escaped.place ?? -1, 1)?.[0]?.words).toEqual(escaped.words);
  reader.isUnescaped = false;
  expect(reader.again(bare.place ?? -1, 1)?.[0]?.words).toEqual(bare.words);
});
