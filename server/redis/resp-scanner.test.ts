import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeCommand, MAX_FRAME, RedisError, type Reply, RespScanner } from './resp-scanner.ts';

type Frame = { line: string } | { push: Reply[] } | { reply: Reply } | { garbage: string } | 'dropped';

function scan(...chunks: Buffer[]): Frame[] {
  const frames: Frame[] = [];
  const scanner = scannerInto(frames);
  for (const chunk of chunks) scanner.feed(chunk);
  return frames;
}

function scannerInto(frames: Frame[]): RespScanner {
  return new RespScanner({
    onLine: (buffer, start, end) => frames.push({ line: buffer.toString('latin1', start, end) }),
    onPush: (push) => frames.push({ push }),
    onReply: (reply) => frames.push({ reply }),
    onGarbage: (garbage) => frames.push({ garbage }),
    onDropped: () => frames.push('dropped'),
  });
}

function scanText(text: string): Frame[] {
  return scan(Buffer.from(text, 'latin1'));
}

test.each<[string, Reply]>([
  ['+OK\r\n', 'OK'],
  ['+\r\n', ''],
  [':-42\r\n', -42],
  [',1.5e3\r\n', 1500],
  [',inf\r\n', Number.POSITIVE_INFINITY],
  [',-inf\r\n', Number.NEGATIVE_INFINITY],
  ['#t\r\n', true],
  ['#f\r\n', false],
  ['_\r\n', null],
  ['(3492890328409238509324850943850943825024385\r\n', '3492890328409238509324850943850943825024385'],
  ['$5\r\nhe\r\nl\r\n', 'he\r\nl'],
  ['$0\r\n\r\n', ''],
  ['$-1\r\n', null],
  ['$2\r\n\xff\x00\r\n', '\xff\x00'],
  ['=10\r\ntxt:id=1 \n\r\n', 'id=1 \n'],
  ['*-1\r\n', null],
  ['*0\r\n', []],
  ['*3\r\n:1\r\n$1\r\na\r\n*1\r\n_\r\n', [1, 'a', [null]]],
  ['~2\r\n+a\r\n+b\r\n', ['a', 'b']],
  ['%2\r\n+a\r\n:1\r\n+b\r\n*0\r\n', ['a', 1, 'b', []]],
  ['|1\r\n+ttl\r\n:9\r\n*1\r\n:2\r\n', [2]],
  ['*1\r\n|1\r\n+ttl\r\n:9\r\n:2\r\n', [2]],
])('reads the reply %j', (text, reply) => {
  expect(scanText(text)).toEqual([{ reply }]);
});

test.each([
  ['-NOPERM no\r\n', 'NOPERM', 'NOPERM no'],
  ['!9\r\nERR a\r\nbc\r\n', 'ERR', 'ERR a\r\nbc'],
])('reads the error %j', (text, code, message) => {
  const [frame] = scanText(text);
  const reply = frame && typeof frame === 'object' && 'reply' in frame ? frame.reply : undefined;
  expect(reply).toBeInstanceOf(RedisError);
  expect(reply).toMatchObject({ code, message });
});

test('an error inside a list is a value of it', () => {
  expect(scanText('*2\r\n-ERR no\r\n:1\r\n')).toEqual([{ reply: [new RedisError('ERR no'), 1] }]);
});

test('reads a number that is none as NaN', () => {
  expect(scanText(',nan\r\n')).toEqual([{ reply: Number.NaN }]);
});

test('a push is no reply', () => {
  expect(scanText('>3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\nm\r\n')).toEqual([{ push: ['message', 'c', 'm'] }]);
});

test('a simple string that begins with a digit is a MONITOR line', () => {
  expect(scanText('+OK\r\n+1795218454.496776 [0 c:1] "GET" "a"\r\n')).toEqual([
    { reply: 'OK' },
    { line: '1795218454.496776 [0 c:1] "GET" "a"' },
  ]);
});

test.each([
  'HTTP/1.1 400 Bad Request\r\n',
  '$x\r\n',
  '*-2\r\n',
  '$1.5\r\nab\r\n',
  '$2\r\nabcd\r\n',
  '+OK\n',
  '*1\r\nX\r\n',
  '\x00',
])('%j is garbage', (text) => {
  expect(scanText(text)).toEqual([{ garbage: text.slice(0, 40) }]);
});

test('nothing is handed over before it is complete', () => {
  expect(scanText('+1795218454.496776 [0 c:1] "GET"')).toEqual([]);
  expect(scanText('*2\r\n:1\r\n')).toEqual([]);
  expect(scanText('$3\r\nab')).toEqual([]);
  expect(scanText('+')).toEqual([]);
});

const line = fc
  .array(fc.integer({ min: 32, max: 126 }), { maxLength: 60 })
  .map((codes) => `+1795218454.000001 [0 c:1] "${String.fromCharCode(...codes)}"\r\n`);
const bulk = fc
  .array(fc.integer({ min: 0, max: 255 }), { maxLength: 12 })
  .map((codes) => `$${codes.length}\r\n${String.fromCharCode(...codes)}\r\n`);
const small = fc.constantFrom('+OK\r\n', ':12\r\n', '_\r\n', '#t\r\n', ',1.25\r\n', '$-1\r\n', '-ERR no\r\n');
const item = fc.oneof(bulk, small);
const list = fc.array(item, { maxLength: 4 }).map((items) => `*${items.length}\r\n${items.join('')}`);
const push = fc.array(item, { maxLength: 3 }).map((items) => `>${items.length}\r\n${items.join('')}`);
const map = fc.tuple(bulk, list).map(([key, value]) => `%1\r\n${key}${value}`);
const stream = fc.array(fc.oneof(line, bulk, small, list, push, map), { minLength: 1, maxLength: 5 });

test('wherever a stream is cut in two, the frames are the same', () => {
  fc.assert(
    fc.property(stream, (frames) => {
      const bytes = Buffer.from(frames.join(''), 'latin1');
      const whole = scan(bytes);
      expect(whole).toHaveLength(frames.length);
      for (let at = 1; at < bytes.length; at++) {
        expect(scan(bytes.subarray(0, at), bytes.subarray(at))).toEqual(whole);
      }
    }),
    { numRuns: 60 },
  );
});

test('a buffer that is used for every read gives the same frames', () => {
  fc.assert(
    fc.property(stream, fc.integer({ min: 1, max: 20 }), (frames, size) => {
      const bytes = Buffer.from(frames.join(''), 'latin1');
      const reads: Frame[] = [];
      const scanner = scannerInto(reads);
      const buffer = Buffer.alloc(size);
      for (let at = 0; at < bytes.length; at += size) {
        scanner.feed(buffer.subarray(0, bytes.copy(buffer, 0, at, at + size)));
      }
      expect(reads).toEqual(scan(bytes));
    }),
    { numRuns: 60 },
  );
});

test('byte by byte, the frames are the same', () => {
  fc.assert(
    fc.property(stream, (frames) => {
      const bytes = Buffer.from(frames.join(''), 'latin1');
      expect(scan(...[...bytes].map((byte) => Buffer.of(byte)))).toEqual(scan(bytes));
    }),
    { numRuns: 60 },
  );
});

test('hostile bytes never throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(200), (bytes, cut) => {
      const buffer = Buffer.from(bytes);
      scan(buffer.subarray(0, cut), buffer.subarray(cut));
    }),
  );
});

test('a line of 1 MB in small reads arrives whole, between its neighbours', () => {
  const long = `1795218454.000001 [0 c:1] "SET" "${'x'.repeat(1_000_000)}"`;
  const bytes = Buffer.from(`+1 a\r\n+${long}\r\n:7\r\n`, 'latin1');
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 1000) chunks.push(bytes.subarray(at, at + 1000));
  expect(scan(...chunks)).toEqual([{ line: '1 a' }, { line: long }, { reply: 7 }]);
});

test('a line past the limit is dropped, and the stream goes on after it', () => {
  const chunk = Buffer.alloc(1024 * 1024, 'x');
  const chunks = [Buffer.from('+1 '), ...Array.from({ length: 17 }, () => chunk), Buffer.from('x\r\n+2 b\r\n:1\r\n')];
  expect(chunk.length * 17).toBeGreaterThan(MAX_FRAME);
  expect(scan(...chunks)).toEqual(['dropped', { line: '2 b' }, { reply: 1 }]);
});

test('a reply past the limit ends the connection: nobody could say where it stops', () => {
  const chunk = Buffer.alloc(1024 * 1024, 'x\r\n');
  const frames = scan(Buffer.from('$20000000\r\n'), ...Array.from({ length: 16 }, () => chunk));
  expect(frames).toEqual([{ garbage: 'a reply of over 16 MB' }]);
});

test('a command is written as Redis reads it, byte for byte', () => {
  const command = encodeCommand(['GET', 'a\r\n\xff', '']);
  expect(command.toString('latin1')).toBe('*3\r\n$3\r\nGET\r\n$4\r\na\r\n\xff\r\n$0\r\n\r\n');
  expect(scan(command)).toEqual([{ reply: ['GET', 'a\r\n\xff', ''] }]);
});

test('knows whether a frame is still to be completed', () => {
  const scanner = scannerInto([]);
  expect(scanner.isMidFrame).toBe(false);
  scanner.feed(Buffer.from('+1795218454.49 [0 lua] "exists" "a"\r\n+17952'));
  expect(scanner.isMidFrame).toBe(true);
  scanner.feed(Buffer.from('18454.49 [0 lua] "get"'));
  expect(scanner.isMidFrame).toBe(true);
  scanner.feed(Buffer.from('\r\n'));
  expect(scanner.isMidFrame).toBe(false);
});
