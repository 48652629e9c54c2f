import { expect, test } from 'vitest';
import { type Frame, scan, scannerInto, scanText } from '../testing/scan-frames.ts';
import { encodeCommand } from './encode-command.ts';
import { MAX_BULK, MAX_DEPTH, MAX_FRAME } from './reply-builder.ts';
import { type Fault, RedisError, type Reply, TooLong } from './resp-scanner.ts';

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
])('the scanner reads the reply %j', (text, reply) => {
  expect(scanText(text)).toEqual([{ reply }]);
});

test.each([
  ['-NOPERM no\r\n', 'NOPERM', 'NOPERM no'],
  ['!9\r\nERR a\r\nbc\r\n', 'ERR', 'ERR a\r\nbc'],
])('the scanner reads the error %j', (text, code, message) => {
  const [frame] = scanText(text);
  const reply = frame && typeof frame === 'object' && 'reply' in frame ? frame.reply : undefined;
  expect(reply).toBeInstanceOf(RedisError);
  expect(reply).toMatchObject({ code, message });
});

test('an error inside a list is a value of the list', () => {
  expect(scanText('*2\r\n-ERR no\r\n:1\r\n')).toEqual([{ reply: [new RedisError('ERR no'), 1] }]);
});

test('the scanner reads "nan" as NaN', () => {
  expect(scanText(',nan\r\n')).toEqual([{ reply: Number.NaN }]);
});

test('a push is not returned as a reply', () => {
  expect(scanText('>3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\nm\r\n')).toEqual([{ push: ['message', 'c', 'm'] }]);
});

test('a push in the middle of a reply is not a value of the reply', () => {
  const push = '>4\r\n+pmessage\r\n+p*\r\n+c\r\n*1\r\n+m\r\n';
  const text = `*3\r\n+TYPE\r\n*2\r\n:1\r\n${push}:2\r\n${push}:3\r\n:4\r\n`;
  const reported = { push: ['pmessage', 'p*', 'c', ['m']] };
  const frames = [reported, reported, { reply: ['TYPE', [1, 2], 3] }, { reply: 4 }];
  expect(scanText(text)).toEqual(frames);
  expect(scan(...[...Buffer.from(text, 'latin1')].map((byte) => Buffer.of(byte)))).toEqual(frames);
});

test('a simple string that begins with a digit is a MONITOR line', () => {
  expect(scanText('+OK\r\n+1795218454.496776 [0 c:1] "GET" "a"\r\n')).toEqual([
    { reply: 'OK' },
    { line: '1795218454.496776 [0 c:1] "GET" "a"' },
  ]);
});

test.each<[string, Fault]>([
  ['HTTP/1.1 400 Bad Request\r\n', 'not-resp'],
  ['\x00', 'not-resp'],
  ['$x\r\n', 'not-resp'],
  ['*-2\r\n', 'not-resp'],
  ['$1.5\r\nab\r\n', 'not-resp'],
  ['$1e3\r\n', 'not-resp'],
  ['%-1\r\n', 'not-resp'],
  ['+OK\n', 'not-resp'],
  [':12a\r\n', 'not-resp'],
  [',\r\n', 'not-resp'],
  ['#x\r\n', 'not-resp'],
  ['_0\r\n', 'not-resp'],
  ['$2\r\nabcd\r\n', 'bad-frame'],
  ['*1\r\nX\r\n', 'bad-frame'],
])('the bytes %j cannot be read: %s', (text, fault) => {
  expect(scanText(text)).toEqual([{ fault }]);
  expect(scan(...[...Buffer.from(text, 'latin1')].map((byte) => Buffer.of(byte)))).toEqual([{ fault }]);
});

test('bytes after a fault are ignored', () => {
  expect(scanText('+OK\r\nX\r\n+OK\r\n')).toEqual([{ reply: 'OK' }, { fault: 'bad-frame' }]);
  expect(scan(Buffer.from('X'), Buffer.from('+OK\r\n'))).toEqual([{ fault: 'not-resp' }]);
});

test('an incomplete line, list or string is not passed on', () => {
  expect(scanText('+1795218454.496776 [0 c:1] "GET"')).toEqual([]);
  expect(scanText('*2\r\n:1\r\n')).toEqual([]);
  expect(scanText('$3\r\nab')).toEqual([]);
  expect(scanText('+')).toEqual([]);
});

test('a line of 1 MB in small reads is emitted whole, between the lines beside it', () => {
  const long = `1795218454.000001 [0 c:1] "SET" "${'x'.repeat(1_000_000)}"`;
  const bytes = Buffer.from(`+1 a\r\n+${long}\r\n:7\r\n`, 'latin1');
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 1000) chunks.push(bytes.subarray(at, at + 1000));
  expect(scan(...chunks)).toEqual([{ line: '1 a' }, { line: long }, { reply: 7 }]);
});

test('a line above the limit is dropped, and the lines after it are read', () => {
  const chunk = Buffer.alloc(1024 * 1024, 'x');
  const chunks = [Buffer.from('+1 '), ...Array.from({ length: 17 }, () => chunk), Buffer.from('x\r\n+2 b\r\n:1\r\n')];
  expect(chunk.length * 17).toBeGreaterThan(MAX_FRAME);
  expect(scan(...chunks)).toEqual([{ dropped: 'line' }, { line: '2 b' }, { reply: 1 }]);
});

test('a simple string longer than any that Redis writes is a fault', () => {
  expect(scan(Buffer.from('+O'), Buffer.alloc(100_000, 'x'))).toEqual([{ fault: 'line-too-long' }]);
  expect(scan(Buffer.from('*1\r\n+1'), Buffer.alloc(100_000, 'x'))).toEqual([{ fault: 'line-too-long' }]);
  expect(scanText(`+O${'x'.repeat(100_000)}\r\n`)).toEqual([{ fault: 'line-too-long' }]);
});

/** A bulk string of `length` bytes on the wire. */
function bulkOf(length: number): string {
  return `$${length}\r\n${'x'.repeat(length)}\r\n`;
}

/** The same text in reads of `size` bytes. */
function scanInReads(text: string, size: number): Frame[] {
  const bytes = Buffer.from(text, 'latin1');
  const reads: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) reads.push(bytes.subarray(at, at + size));
  return scan(...reads);
}

test.each([1000, 65_536, 50_000_000])('a string above the bound is skipped, in reads of %i bytes', (size) => {
  const hash = `%2\r\n$1\r\na\r\n${bulkOf(MAX_BULK + 1)}$1\r\nb\r\n${bulkOf(MAX_BULK)}`;
  const results = `*3\r\n+hash\r\n${hash}:30000\r\n`;
  expect(scanInReads(`${results}+1 a\r\n`, size)).toEqual([
    { reply: ['hash', ['a', new TooLong(MAX_BULK + 1), 'b', 'x'.repeat(MAX_BULK)], 30_000] },
    { line: '1 a' },
  ]);
});

test('a string that is a reply by itself may be as long as any reply', () => {
  expect(scanText(bulkOf(MAX_FRAME))).toEqual([{ reply: 'x'.repeat(MAX_FRAME) }]);
  expect(scanText(`${bulkOf(MAX_FRAME + 1)}:1\r\n`)).toEqual([{ reply: new TooLong(MAX_FRAME + 1) }, { reply: 1 }]);
});

test('in a SCAN reply, names of a megabyte displace neither the short names after them nor the cursor', () => {
  const megabyte = 1024 * 1024;
  const names = `*22\r\n${bulkOf(megabyte).repeat(20)}$6\r\norders\r\n${bulkOf(megabyte)}`;
  const [frame] = scanInReads(`*2\r\n$1\r\n7\r\n${names}`, 65_536);
  const reply = frame && 'reply' in frame && Array.isArray(frame.reply) ? frame.reply : [];
  const found = Array.isArray(reply[1]) ? reply[1] : [];
  expect(reply[0]).toBe('7');
  expect(found).toHaveLength(22);
  expect(found.filter((name) => typeof name === 'string' && name.length === megabyte)).toHaveLength(11);
  expect(found.filter((name) => name instanceof TooLong && name.bytes === megabyte)).toHaveLength(10);
  expect(found[20]).toBe('orders');
});

test('a list too long to keep becomes one value, and the values after it are whole', () => {
  const hash = `*3000000\r\n${':1\r\n'.repeat(3_000_000)}`;
  expect(scanText(`*4\r\n+hash\r\n${hash}*2\r\n:1\r\n:2\r\n:3\r\n:4\r\n`)).toEqual([
    { reply: ['hash', new TooLong(hash.length), [1, 2], 3] },
    { reply: 4 },
  ]);
});

test('lists inside a list too long to keep are not kept either', () => {
  const rows = `*900000\r\n${'*1\r\n:1\r\n'.repeat(900_000)}`;
  expect(scanText(`*2\r\n${rows}*1\r\n+a\r\n`)).toEqual([{ reply: [new TooLong(rows.length), ['a']] }]);
});

test('a push too long to keep is dropped, and a list inside a push is replaced', () => {
  const push = `>2\r\n+invalidate\r\n*3000000\r\n${':1\r\n'.repeat(3_000_000)}`;
  // The list inside is lost, and with it the names; the push itself is whole.
  expect(scanText(`${push}:1\r\n`)).toEqual([{ push: ['invalidate', expect.any(TooLong)] }, { reply: 1 }]);
  const flat = `>3000000\r\n${':1\r\n'.repeat(3_000_000)}`;
  expect(scanText(`${flat}:1\r\n`)).toEqual([{ dropped: 'push' }, { reply: 1 }]);
});

test.each(['*999999999\r\n', '%4000000\r\n', '~99999999999999\r\n', '$999999999999\r\n'])(
  '%j allocates less than 1 MB for what has not arrived',
  (head) => {
    const scanner = scannerInto([]);
    const before = process.memoryUsage();
    scanner.feed(Buffer.from(`${head}:1\r\n`));
    const after = process.memoryUsage();
    expect(scanner.isMidFrame).toBe(true);
    expect(after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers).toBeLessThan(1_000_000);
  },
);

test('lists nest as deep as the limit, and a deeper one is a fault', () => {
  expect(scanText(`${'*1\r\n'.repeat(MAX_DEPTH)}:1\r\n`)).toHaveLength(1);
  expect(scanText('*1\r\n'.repeat(MAX_DEPTH + 1))).toEqual([{ fault: 'too-deep' }]);
  expect(scanText('|1\r\n'.repeat(200_000))).toEqual([{ fault: 'too-deep' }]);
  expect(scan(...Array.from({ length: 20_000 }, () => Buffer.from('*1\r\n')))).toEqual([{ fault: 'too-deep' }]);
});

test.each([
  ['a line', `+1 ${'x'.repeat(200_000)}\r\n`],
  ['a string', bulkOf(200_000)],
  ['a list', `*50000\r\n${':1\r\n'.repeat(50_000)}`],
  ['a skipped string', `*1\r\n${bulkOf(MAX_BULK + 1)}`],
])('the bytes of %s that is read byte by byte are copied less than three times each', (_, text) => {
  const frames: Frame[] = [];
  const scanner = scannerInto(frames);
  const bytes = Buffer.from(text, 'latin1');
  for (let at = 0; at < bytes.length; at++) scanner.feed(bytes.subarray(at, at + 1));
  expect(frames).toHaveLength(1);
  expect(scanner.copied).toBeLessThan(bytes.length * 3);
});

test('a command is written as Redis reads it, byte for byte', () => {
  const command = encodeCommand(['GET', 'a\r\n\xff', '']);
  expect(command.toString('latin1')).toBe('*3\r\n$3\r\nGET\r\n$4\r\na\r\n\xff\r\n$0\r\n\r\n');
  expect(scan(command)).toEqual([{ reply: ['GET', 'a\r\n\xff', ''] }]);
});

test('the scanner reports whether a frame is incomplete', () => {
  const scanner = scannerInto([]);
  expect(scanner.isMidFrame).toBe(false);
  scanner.feed(Buffer.from('+1795218454.49 [0 lua] "exists" "a"\r\n+17952'));
  expect(scanner.isMidFrame).toBe(true);
  scanner.feed(Buffer.from('18454.49 [0 lua] "get"'));
  expect(scanner.isMidFrame).toBe(true);
  scanner.feed(Buffer.from('\r\n'));
  expect(scanner.isMidFrame).toBe(false);
});
