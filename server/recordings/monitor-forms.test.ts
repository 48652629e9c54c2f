import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { textOfBytes } from '../../shared/unwrap/text-bytes.ts';
import { WRAPS } from '../../testing/stories/wrappings.ts';
import { LineReader, OpenError } from './read-file.ts';
import { replaceText, UPLOAD_LIMITS } from './replace-text.ts';
import { openRecording } from './replay-observatory.ts';

const MEMORY = 512 * 1024 * 1024;
const AT = 1_795_000_000_000_000;
const A = 'aaaaaaaa-0000-4000-8000-000000000001:31';
const B = 'bbbbbbbb-0000-4000-8000-000000000002:45';
const textOf = (name: string) =>
  readFileSync(new URL(`../../shared/traces/texts/monitor.${name}.txt`, import.meta.url));
let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'lockscope-test-'));
});
afterAll(() => rmSync(dir, { recursive: true }));

async function opened(text: string | Buffer) {
  const path = join(dir, 'a.txt');
  writeFileSync(path, text);
  const { observatory, summary } = await openRecording(path, { memory: MEMORY, limits: UPLOAD_LIMITS });
  const { events } = await observatory.history.search({ limit: 100_000 });
  const [source] = observatory.sources();
  return { events, summary, locks: observatory.locks(), source, skipped: source?.recording?.skipped };
}

async function problemOf(text: string | Buffer) {
  const error = await opened(text).catch((reason: unknown) => reason);
  if (!(error instanceof OpenError)) throw new Error(`no problem but ${String(error)}`);
  return error.problem;
}

const STORY = [
  ['lock.acquired', A],
  ['lock.refused', B],
  ['waiter.subscribed', B],
  ['lock.refused', B],
  ['lock.released', A],
  ['wakeup.published', undefined],
  ['lock.acquired', B],
  ['waiter.unsubscribed', B],
  ['lock.released', B],
  ['wakeup.published', undefined],
];
const holderIn = (event: object) => ('holder' in event ? event.holder : undefined);

test.each([
  ['terminal', { around: [], prefix: '', lines: 4 }],
  ['compose', { around: ['prefix'], prefix: 'redis-1  | ', lines: 0 }],
  ['kubectl', { around: ['prefix'], prefix: '2026-11-18T10:26:40.123456789Z ', lines: 0 }],
  ['utf-16', { around: ['utf-16'], prefix: '', lines: 0 }],
])(
  'the text of MONITOR as "%s" gives its ten events, no bad line, and names what was skipped',
  async (name, skipped) => {
    const { events, summary, skipped: named } = await opened(textOf(name));
    expect(events.map((event) => [event.type, holderIn(event)])).toEqual(STORY);
    expect(summary).toMatchObject({ badLines: 0, startedAt: AT + 37, endsAt: AT + 5_000_000 });
    expect(named).toMatchObject({ code: 'text-skipped', values: skipped });
  },
);

/** The lines that a reader finds, as signals. A text that is refused has no signals, and one bad line. */
function signalsIn(text: string) {
  try {
    return readIn(text);
  } catch (error) {
    if (!(error instanceof OpenError)) throw error;
    return { signals: [], badLines: 1 };
  }
}

function readIn(text: string) {
  const signals: object[] = [];
  const lines = new LineReader('a', (signal) => void signals.push(signal));
  for (const line of textOfBytes(Buffer.from(text)).text.split('\n')) lines.addRest(line);
  const { badCount } = lines.finished();
  return { signals, badLines: badCount };
}

const BARE = textOf('compose').toString().replaceAll('redis-1  | ', '').trimEnd();

describe('a text of MONITOR', () => {
  const expected = signalsIn(BARE);

  test.each(Object.keys(WRAPS))('has the same lines in the form "%s"', (name) => {
    expect(expected).toMatchObject({ signals: { length: 30 }, badLines: 0 });
    expect(signalsIn(WRAPS[name]?.(BARE) ?? '')).toEqual(expected);
  });

  test.each(Object.entries(WRAPS))('has the same lines in most other forms within the form "%s"', (outer, wrap) => {
    for (const [inner, first] of Object.entries(WRAPS)) {
      const isRead = inner !== 'pretty json' && !(inner === 'html' && outer === 'html');
      const found = signalsIn(wrap(first(BARE)));
      if (isRead || found.badLines === 0) expect(found, `${inner} in ${outer}`).toEqual(expected);
    }
  });
});

const line = (second: number, rest: string) => `179500000${second}.000001 [0 10.0.0.7:51422] ${rest}`;
const ACQUIRE = [
  line(
    1,
    '"EVALSHA" "149c5a8bf18676fd99e9e6e24923bd64d9b62f94" "1" "stock:7" "30000" "aaaaaaaa-0000-4000-8000-000000000001:31"',
  ),
  '1795000001.000001 [0 lua] "exists" "stock:7"',
];

test('a log of several servers is refused, because their lines have no common order', async () => {
  const text = ACQUIRE.flatMap((each, n) => [`redis-${n}  | ${each}`]).join('\n');
  expect(await problemOf(text)).toMatchObject({
    code: 'monitor-of-several',
    values: { one: 'redis-0', other: 'redis-1' },
  });
});

test('lines of another container are skipped, and not counted as lost', async () => {
  const text = ['app-1  | started', ...ACQUIRE.flatMap((each) => [`redis-1  | ${each}`, 'app-1  | at work'])].join(
    '\n',
  );
  const { summary, skipped, events } = await opened(text);
  expect(summary.badLines).toBe(0);
  expect(skipped?.values).toMatchObject({ lines: 3 });
  expect(events.map(({ type }) => type)).not.toContain('blind-spot.began');
});

test.each([
  ['a line of the log of Redis', '1:M 18 Nov 2026 10:26:40.123 * Background saving started'],
  ['a line in JSON that was cut', '{"log":"1795000001.000001 [0 lua] \\"hincr'],
])('between two lines, %s is counted as a line that was lost', async (_, other) => {
  const { summary, events } = await opened([...ACQUIRE, other, line(2, '"PING"')].join('\n'));
  expect(summary.badLines).toBe(1);
  expect(events.map(({ type }) => type)).toEqual(['blind-spot.began', 'blind-spot.ended']);
});

test('a client that Redis answered with NOSCRIPT does not make a blind spot', async () => {
  const { events } = await opened([ACQUIRE[0], ...ACQUIRE, line(2, '"PING"')].join('\n'));
  expect(events.map(({ type }) => type)).not.toContain('blind-spot.began');
});

test('a text that is stored still shows what was skipped, and that lines of scripts are missing', async () => {
  const path = join(dir, 'kept.txt');
  writeFileSync(path, `redis-1  | ${textOf('without-lua').toString().trimEnd().replaceAll('\n', '\nredis-1  | ')}`);
  const text = await replaceText(path, { memory: MEMORY });
  const { observatory } = await openRecording(path, { memory: MEMORY, ...(text && { text }) });
  const [source] = observatory.sources();
  expect(source?.recording?.skipped?.values).toMatchObject({ around: ['prefix'], prefix: 'redis-1  | ' });
  expect(source?.unseen.map(({ code }) => code)).toContain('unseen-script-lines');
  expect(observatory.locks()).toEqual([]);
});

test('rows of a Markdown table give the ten events, and no bad line', async () => {
  const rows = textOf('terminal')
    .toString()
    .split('\n')
    .filter((line) => /^\d/.test(line));
  const { events, summary } = await opened(['| line |', '| --- |', ...rows.map((row) => `| ${row} |`)].join('\n'));
  expect(events.map((event) => [event.type, holderIn(event)])).toEqual(STORY);
  expect(summary.badLines).toBe(0);
});

test.each([
  ['an empty file', '', 'empty'],
  ['a thread dump', readFileSync(new URL('../../shared/traces/texts/jstack.txt', import.meta.url)), 'thread-dump'],
  ['the log of a Redis', '1:M 18 Nov 2026 10:26:40.123 * Ready to accept connections tcp\n', 'redis-log'],
  ['an append-only file', '*2\r\n$6\r\nSELECT\r\n$1\r\n0\r\n', 'commands'],
  ['the data of a Redis', Buffer.from(`REDIS0011${'\xfa'.repeat(600)}`, 'latin1'), 'redis-data'],
  ['a heap dump', Buffer.from(`JAVA PROFILE 1.0.2\0${'\0'.repeat(600)}`), 'heap-dump'],
  ['an archive', Buffer.from('PK\x03\x04'), 'archive'],
  ['the profiler of RedisInsight', '10:26:40.037 [0 172.17.0.1:5000] "GET" "k"\n', 'other-times'],
  ['a time with a decimal comma', '1795000001,000001 [0 10.0.0.7:51422] "GET" "k"\n', 'other-times'],
  ['a time with a date', '2026-11-18 10:26:40.000037 [0 10.0.0.7:51422] "GET" "k"\n', 'other-times'],
  ['a time as in a log', '2026-11-18T10:26:40.000037Z [0 10.0.0.7:51422] "GET" "k"\n', 'other-times'],
  ['a time in milliseconds', '1795000001.037 [0 10.0.0.7:51422] "GET" "k"\n', 'other-times'],
  ['MONITOR of Redis 2.2', '1795000001.000001 "get" "k"\n', 'other-form'],
  ['MONITOR of Redis 2.4', '1795000001.000001 (db 1) "get" "k"\n', 'other-form'],
  ['MONITOR of a client library', "1795000001.000001 [ 'get', 'k' ] 10.0.0.7:51422 0\n", 'other-form'],
  ['other quotes', "1795000001.000001 [0 10.0.0.7:51422] 'get' 'k'\n", 'other-form'],
  ['another text', 'hello\n', undefined],
])('%s is refused, and the error names what it is', async (_, text, seems) => {
  const refused = await problemOf(text);
  const values = Object.fromEntries(Object.entries(refused.values).filter(([name]) => name !== 'line'));
  expect(refused.code).toBe('not-a-recording');
  expect(values).toEqual(seems === undefined ? {} : { seems });
});

test('any text is either read or refused', () => {
  const pieces = fc.constantFrom(
    ...[
      '1.000001 [0 lua] "exists" "a"',
      '1.000002 [0 c:1] "EVAL" "x',
      '{"log":"',
      '\\"',
      '&quot;',
      '\n',
      '> ',
      'a  | ',
    ],
    ...['1.000003 [0 c:1] \\"GET\\" \\"a\\"\\n"}', '""', 'T stdout P '],
  );
  const text = fc.array(fc.oneof(pieces, fc.string({ maxLength: 4 })), { maxLength: 60 });
  fc.assert(
    fc.property(text, (parts) => void signalsIn(parts.join(''))),
    { numRuns: 500 },
  );
});
