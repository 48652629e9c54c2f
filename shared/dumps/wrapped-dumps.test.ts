import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WRAPS } from '../../testing/stories/wrappings.ts';
import { fileKindOf } from '../unwrap/file-kinds.ts';
import { textOfBytes } from '../unwrap/text-bytes.ts';
import { looksLikeDump } from './looks-like-dump.ts';
import { parseDump } from './parse-dump.ts';

const read = (path: string) => readFileSync(new URL(`../traces/${path}`, import.meta.url), 'utf8').trimEnd();
const SMALL = ['texts/jstack.txt', 'texts/thread-info.txt', 'texts/dump-to-file.txt', 'texts/actuator-list.json'];
const REAL = [
  ...[
    'dumps/redisson-4.7.0.thread-print-l.txt',
    'dumps/redisson-4.7.0.kill-3.txt',
    'dumps/redisson-4.7.0.actuator.json',
  ],
  ...['jstack.txt', 'jhsdb.txt', 'thread-info.txt', 'dump-to-file.txt', 'dump-to-file.json'].map(
    (n) => `dumps/java-25.${n}`,
  ),
];
const NAMES = Object.keys(WRAPS);
const wrapped = (text: string, ...names: readonly string[]) =>
  names.reduce((inner, name) => WRAPS[name]?.(inner) ?? '', text);

/** The dump in a text, without its `skipped`, or why the text is refused. */
function dumpIn(text: string) {
  const found = parseDump(textOfBytes(Buffer.from(text)).text);
  if (!found.ok) return found.error;
  const { skipped: _, ...dump } = found.value;
  return dump;
}

describe.each([...SMALL, ...REAL])('%s', (path) => {
  const bare = read(path);

  test.each(NAMES)('is the same dump in the form "%s", and looks like one', (name) => {
    expect(typeof dumpIn(bare)).toBe('object');
    expect(dumpIn(wrapped(bare, name))).toEqual(dumpIn(bare));
    expect(looksLikeDump(textOfBytes(Buffer.from(wrapped(bare, name))).text)).toBe(true);
  });
});

test.each(SMALL)('%s is the same dump in any two forms', (path) => {
  const bare = read(path);
  const expected = dumpIn(bare);
  for (const outer of NAMES) {
    for (const inner of NAMES) {
      expect(dumpIn(wrapped(bare, inner, outer)), `${inner} in ${outer}`).toEqual(expected);
    }
  }
});

test('a dump in which a text program replaced the quotes of some names has all of its threads', () => {
  const bare = read('texts/jstack.txt').replace('"worker-1"', '"«worker»-1"');
  const some = bare.replace(/^"(worker-2)"/m, '\u201c$1\u201d').replace(/^"(prices)"/m, '"$1\u201d');
  expect(some).not.toBe(bare);
  expect(dumpIn(some)).toEqual(dumpIn(bare));
});

test('a dump in UTF-16, with or without a byte order mark, or in Windows-1252 is read as the same text', () => {
  const bare = read('texts/jstack.txt').replaceAll('worker-1', 'Büro-1');
  const little = Buffer.from(bare, 'utf16le');
  for (const bytes of [little, Buffer.concat([Buffer.from([0xff, 0xfe]), little]), Buffer.from(little).swap16()]) {
    expect(textOfBytes(bytes)).toMatchObject({ text: bare, encoding: 'utf-16' });
  }
  expect(textOfBytes(Buffer.from(bare, 'latin1'))).toEqual({ text: bare, encoding: 'windows-1252' });
});

test('the parts of a log that are not part of its dump are reported as skipped', () => {
  const skippedIn = (text: string) => {
    const found = parseDump(text);
    return found.ok ? found.value.skipped : found.error;
  };
  const bare = read('texts/jstack.txt');
  expect(skippedIn(bare)).toBeNull();
  expect(skippedIn(wrapped(bare, 'docker'))).toEqual({ around: ['json'], prefix: '', lines: 0 });
  expect(skippedIn(`app-2  | started\n${wrapped(bare, 'compose in colours')}`)).toEqual({
    ...{ around: ['colours', 'prefix'], prefix: 'redis-1  | ', lines: 1 },
  });
});

test('lines that a mail program broke are joined', () => {
  const broken = read('texts/jstack.txt')
    .replaceAll('\tat org', '\tat\norg')
    .replaceAll('(a shop.Prices)', '(a\nshop.Prices)')
    .replace(/ elapsed=\S+ /g, (part) => `${part.trimEnd()}\n`);
  expect(dumpIn(wrapped(broken, 'mail'))).toEqual(dumpIn(read('texts/jstack.txt')));
});

test('if a log has dumps of two processes, the last one is used, not a mixture', () => {
  const text = read('texts/jstack.txt');
  const lines = (name: string, from: string) => from.split('\n').map((line) => `${name}  | ${line}`);
  const [first, second] = [lines('app-1', text.replaceAll('worker', 'clerk')), lines('app-2', text)];
  const mixed = second.flatMap((line, n) => [first[n] ?? '', line]).join('\n');
  expect(dumpIn(mixed)).toEqual({ ...(dumpIn(text) as object), dumps: 1 });
});

test('random texts are read or refused without an exception, and random bytes are decoded without one', () => {
  const pieces = fc.constantFrom(
    '"a" #1 prio=5 tid=0x1\n',
    '\tat a.B.c(B.java:1)\n',
    '{"log":"',
    '""',
    '\\"',
    '\n',
    '&quot;',
    '> ',
  );
  const text = fc.array(fc.oneof(pieces, fc.string({ maxLength: 5 })), { maxLength: 60 });
  fc.assert(fc.property(text, (parts) => void dumpIn(parts.join(''))));
  fc.assert(fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => void [textOfBytes(bytes), fileKindOf(bytes)]));
});
