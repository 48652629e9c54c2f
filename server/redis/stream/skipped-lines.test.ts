import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import { numbersFrom } from '../../../testing/stories/numbers-from.ts';
import { UNESCAPED } from '../../../testing/traces/trace-file.ts';
import { makeSink } from '../../testing/open-feed.ts';
import { encodeCommand } from '../connection/encode-command.ts';
import { READ_BYTES } from '../connection/open-socket.ts';
import { RespScanner } from '../connection/resp-scanner.ts';
import { LineFilter } from '../lines/line-filter.ts';
import type { LineHole } from '../lines/line-holes.ts';
import { LineReader } from '../lines/line-reader.ts';
import { BookmarkGate, type Streamed } from './bookmark-gate.ts';
import { StreamSignals } from './stream-signals.ts';

/* Lines that are skipped in WebAssembly are those that the filter in JavaScript drops one by one. */

const TRACES = fileURLToPath(new URL('../../../shared/traces/', import.meta.url));
const PATHS = readdirSync(TRACES, { recursive: true, encoding: 'utf8' }).filter((path) => /\.trace(\.gz)?$/.test(path));
const MOST_OF_TRACE = 40_000;
const SEED = 17;
const HOLDER = '6f3ad6fe-bc92-4b0a-9c45-0a2a8d1a6a3e:1';
/**
 * What applications do apart from locks: ordinary lines, and lines that matter only because of one word. KEY is a key
 * of the trace.
 */
const BETWEEN = [
  '"GET" "session:7"',
  '"get" "KEY"',
  '"SET" "session:7" "{\\"page\\": \\"/a] \\"}" "EX" "1800"',
  '"SET" "session:7" "v" "PX" "1800" "XX"',
  '"SET" "NX" "nx"',
  '"SET" "KEY" "v"',
  '"set" "a" "v" "nx" "PX" "100" "GET"',
  `"SET" "a" "${HOLDER}" "NX"`,
  '"SET" "b:lock" "1" "NX"',
  '"MSETEX" "1" "a" "v" "NX" "PX" "100"',
  '"HGET" "user:7" "name"',
  '"HSET" "user:7" "name" "K\\xc3\\xb6ln"',
  '"HSET" "KEY" "name" "x"',
  `"HSET" "fresh" "${HOLDER}" "1"`,
  '"EXPIRE" "fresh" "5"',
  '"HINCRBY" "user:7" "lock" "1"',
  '"HSETEX" "user:7" "FNX" "PX" "100" "FIELDS" "1" "a" "b"',
  '"INCR" "rate:7"',
  '"INCR" "mutex:7"',
  '"ZADD" "board" "1" "u"',
  '"ZADD" "my-SEMAphore" "1" "u"',
  '"LPUSH" "queue" "lock"',
  '"BLPOP" "queue" "0"',
  '"BLPOP" "locks" "0"',
  '"EXPIRE" "rate:7" "60"',
  '"EXPIRE" "KEY" "60"',
  '"DEL" "cart:7" "cart:8"',
  '"DEL" "cart:7" "KEY"',
  '"DEL" "redisson_unlock_latch:{KEY}:1"',
  '"DEL" "redi"',
  '"UNLINK" "KEY"',
  '"MGET" "KEY" "b"',
  '"PUBLISH" "news" "1"',
  '"PUBLISH" "redisson_lock__channel:{KEY}" "0"',
  '"PING"',
  '"ECHO" "lockscope:lag:a"',
  '"INFO" "replication"',
  '"RESTORE-ASKING" "KEY" "0" "x"',
  '"WATCH" "KEY"',
  '"" ""',
  '""',
  '',
  '"EVAL" "return 1" "0"',
];

/** The beginning of a trace: long ones repeat themselves. */
function textOf(path: string): string {
  const file = readFileSync(TRACES + path);
  const text = (path.endsWith('.gz') ? gunzipSync(file) : file).toString('latin1', 0, MOST_OF_TRACE);
  return text.slice(0, text.lastIndexOf('\n') + 1);
}

/** A trace as bytes on the wire, with other lines of the same times in runs between its own. */
function bytesOf(text: string, random: (limit: number) => number): Buffer {
  const pieces: string[] = [];
  let time = '';
  let key = 'none';
  for (const line of text.split('\n')) {
    if (line.startsWith('> ')) {
      const words = JSON.parse(line.slice(2)) as string[]; // the recorder wrote it in this form
      pieces.push(encodeCommand(words).toString('latin1').replace('*', '>'));
    } else if (/^\d/.test(line)) {
      pieces.push(`+${line}\r\n`);
      time = line.slice(0, line.indexOf(' '));
      key = /lua\] "\w+" "((?:[^"\\]|\\.)*)"/.exec(line)?.[1] ?? key;
    }
    if (time === '' || random(20) > 0) continue;
    for (let left = random(50); left > 0; left--) {
      const words = BETWEEN[random(BETWEEN.length)]?.replaceAll('KEY', () => key);
      const head = random(30) === 0 ? time.slice(0, 10 + random(9)) : `${time} [0 10.0.0.${random(256)}:5000]`;
      pieces.push(`+${head} ${words}\r\n`);
    }
  }
  return Buffer.from(pieces.join(''), 'latin1');
}

type How = { readonly skips: boolean; readonly isUnescaped?: boolean; readonly reader?: LineReader };

/** What a stream passes on. Every key of a script becomes a known one at once. */
function heard(reads: readonly Buffer[], { skips, isUnescaped = false, reader = new LineReader() }: How) {
  const passed: Streamed[] = [];
  const holes: LineHole[] = [];
  let looked = 0;
  reader.isUnescaped = isUnescaped;
  const gate = new BookmarkGate({
    emit: (signal) => {
      passed.push(signal);
      if (signal !== 'other' && signal.kind === 'line' && signal.client === null) reader.addKey(signal.words[1] ?? '');
    },
    onLost: () => {},
    onFull: () => {},
  });
  const signals = new StreamSignals({
    ...{ lines: reader, gate, sink: makeSink(), hasLines: true },
    clock: { setBack: 0, latest: undefined, isDoubtful: false, mayEnd: true, trustsLines: false },
    now: () => redisTime(0),
    onClockSet: () => {},
    onDoubtful: () => {},
    onHole: (hole) => holes.push(hole),
    waitedMs: () => 10_000,
  });
  const scanner = new RespScanner({
    onLine: (buffer, start, end) => {
      looked++;
      signals.line(buffer, start, end);
    },
    ...(skips ? { skip: (read: Buffer, line: number, from: number) => signals.skip(read, line, from) } : {}),
    onPush: (values) => signals.push(values),
    onReply: () => {},
    onFault: (fault) => {
      throw new Error(fault);
    },
    onDropped: (what) => signals.dropped(what),
  });
  const { room } = reader;
  if (!room) throw new Error('this Node has no WebAssembly');
  for (const read of reads) {
    room.fill(0);
    scanner.feed(room.subarray(0, read.copy(room)));
  }
  return { found: { passed, holes, lines: signals.lines, at: signals.at, isInScript: signals.isInScript }, looked };
}

type Found = ReturnType<typeof heard>['found'];

/** Compares signal by signal, which is quick if both are the same: there are half a million lines. */
function isSame(a: Found, b: Found): boolean {
  const isSameList =
    a.passed.length === b.passed.length && a.passed.every((signal, n) => isSameSignal(signal, b.passed[n]));
  const rest = (found: Found) => JSON.stringify({ ...found, passed: null });
  return isSameList && rest(a) === rest(b);
}

function isSameSignal(a: Streamed, b: Streamed | undefined): boolean {
  if (a === b) return true;
  if (a === 'other' || b === 'other' || a.kind !== 'line' || b?.kind !== 'line')
    return JSON.stringify(a) === JSON.stringify(b);
  const isSameLine = a.at === b.at && a.db === b.db && a.client === b.client && a.place === b.place;
  return isSameLine && a.words.length === b.words.length && a.words.every((word, n) => word === b.words[n]);
}

/** Cuts a stream into reads of random length: a few bytes, or several kilobytes. */
function cut(bytes: Buffer, random: (limit: number) => number): Buffer[] {
  const reads: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = 1 + random(random(4) === 0 ? 300 : 40_000);
    reads.push(bytes.subarray(at, at + size));
    at += size;
  }
  return reads;
}

test('the beginning of every trace gives the same signals with and without skipping, cut at random places', () => {
  const random = numbersFrom(SEED);
  const readers = { whole: new LineReader(), skipping: new LineReader() };
  let [lines, looked] = [0, 0];
  for (const path of PATHS) {
    const text = textOf(path);
    const isUnescaped = text.startsWith(UNESCAPED);
    const bytes = bytesOf(text, random);
    const whole = heard(cut(bytes, random), { skips: false, isUnescaped, reader: readers.whole });
    const skipping = heard(cut(bytes, random), { skips: true, isUnescaped, reader: readers.skipping });
    if (!isSame(skipping.found, whole.found)) expect(skipping.found, path).toEqual(whole.found);
    lines += whole.looked;
    looked += skipping.looked;
  }
  expect(PATHS.length).toBeGreaterThan(200);
  expect(looked, 'lines looked at one by one').toBeLessThan(lines);
});

test('no line that may matter is skipped, even if all lines are of the same second', () => {
  const random = numbersFrom(SEED);
  const [fast, slow] = [new LineFilter(), new LineFilter()];
  let skipped = 0;
  for (const path of PATHS) {
    const sameSecond = textOf(path).replace(/^\d{10}(?=\.)/gm, '1795218454');
    const read = inRoomOf(fast, bytesOf(sameSecond, random).subarray(0, 0x8000));
    let previous = 0;
    for (;;) {
      const from = read.indexOf('\n', previous) + 1;
      if (from === 0) break;
      const next = fast.skip(read, previous, from);
      for (let at = from; at < next; at = read.indexOf('\n', at) + 1) {
        skipped++;
        const end = read.indexOf('\n', at) - 1;
        if (slow.interestOf(read, at + 1, end) !== 'other')
          throw new Error(`skipped: ${read.toString('latin1', at, end)}`);
      }
      const end = read.indexOf('\n', next);
      if (end < 0) break;
      if (read[next] === 43) for (const filter of [fast, slow]) filter.interestOf(read, next + 1, end - 1);
      previous = next;
    }
  }
  expect(skipped).toBeGreaterThan(1000);
});

test('a hole between two lines is found in one read of 240 lines', () => {
  const lines = [0, 1, 4, 1004].flatMap((second) =>
    Array.from({ length: 60 }, (_, n) => `+${1_795_218_454 + second}.${400_000 + n} [0 c:1] "GET" "session:${n}"\r\n`),
  );
  const read = Buffer.from(lines.join(''), 'latin1');
  const whole = heard([read], { skips: false });
  const skipping = heard([read], { skips: true });
  expect(whole.found.holes).toMatchObject([{ isOfClients: true }]);
  expect(skipping.found).toEqual(whole.found);
  expect([whole.looked, skipping.looked]).toEqual([240, 5]);
});

test('a full read is skipped in one call if it is in the memory of the module', () => {
  const line = '+1795218454.000001 [0 10.0.0.1:5000] "GET" "session:7"\r\n';
  const bytes = Buffer.from(line.repeat(READ_BYTES / line.length), 'latin1');
  const filter = new LineFilter();
  expect(filter.skip(inRoomOf(filter, bytes), 0, line.length)).toBe(bytes.length);
  expect(filter.skip(bytes, 0, line.length)).toBe(line.length);
});

test('without WebAssembly, a filter has no memory of the module, and no line is skipped', () => {
  vi.stubGlobal('WebAssembly', undefined);
  try {
    const filter = new LineFilter();
    expect(filter.room).toBeUndefined();
    expect(filter.skip(Buffer.from('+1795218454.000001 [0 c:1] "GET" "a"\r\n'.repeat(2)), 0, 40)).toBe(40);
  } finally {
    vi.unstubAllGlobals();
  }
});

test('keys that were known before the memory of the module is used stay known', () => {
  const line = '+1795218454.000001 [0 10.0.0.1:5000] "DEL" "orders:42"\r\n';
  const filter = new LineFilter();
  filter.addKey('orders:42');
  const read = inRoomOf(filter, Buffer.from(line.repeat(3), 'latin1'));
  expect(filter.skip(read, 0, line.length)).toBe(line.length);
});

function inRoomOf(filter: LineFilter, bytes: Buffer): Buffer {
  const { room } = filter;
  if (!room) throw new Error('this Node has no WebAssembly');
  return room.subarray(0, bytes.copy(room));
}
