import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Frame, scan, scannerInto } from '../testing/scan-frames.ts';

const line = fc
  .array(fc.integer({ min: 32, max: 126 }), { maxLength: 60 })
  .map((codes) => `+1795218454.000001 [0 c:1] "${String.fromCharCode(...codes)}"\r\n`);
const bulk = fc
  .array(fc.integer({ min: 0, max: 255 }), { maxLength: 12 })
  .map((codes) => `$${codes.length}\r\n${String.fromCharCode(...codes)}\r\n`);
const small = fc.constantFrom(
  '+OK\r\n',
  ':12\r\n',
  '_\r\n',
  '#t\r\n',
  ',1.25\r\n',
  ',-inf\r\n',
  ',nan\r\n',
  '$-1\r\n',
  '*-1\r\n',
  '-ERR no\r\n',
  '!7\r\nERR a\r\n\r\n',
  '=7\r\ntxt:a\r\n\r\n',
  '(12345678901234567890\r\n',
  '|1\r\n+ttl\r\n:9\r\n+1 no line\r\n',
);
const { item } = fc.letrec<{ item: string; list: string }>((tie) => ({
  item: fc.oneof({ maxDepth: 3 }, bulk, small, tie('list')),
  list: fc
    .tuple(fc.constantFrom('*', '~'), fc.array(tie('item'), { maxLength: 3 }))
    .map(([type, items]) => `${type}${items.length}\r\n${items.join('')}`),
}));
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

test('one buffer for all reads gives the same frames', () => {
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

test('however a stream is cut, the frames are the same', () => {
  fc.assert(
    fc.property(stream, fc.array(fc.nat(40), { maxLength: 60 }), (frames, sizes) => {
      const bytes = Buffer.from(frames.join(''), 'latin1');
      const chunks: Buffer[] = [];
      let at = 0;
      for (const size of sizes) {
        chunks.push(bytes.subarray(at, at + size));
        at += size;
      }
      expect(scan(...chunks, bytes.subarray(at))).toEqual(scan(bytes));
    }),
    { numRuns: 300 },
  );
});

test('a stream that is read byte by byte gives the same frames', () => {
  fc.assert(
    fc.property(stream, (frames) => {
      const bytes = Buffer.from(frames.join(''), 'latin1');
      expect(scan(...[...bytes].map((byte) => Buffer.of(byte)))).toEqual(scan(bytes));
    }),
    { numRuns: 60 },
  );
});

const hostileBytes = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc
    .array(fc.constantFrom(...'+-:,#_($!=*%~>|', '\r\n', '\n', '0', '1', '2', '-1', '99999999', 'a'), {
      maxLength: 200,
    })
    .map((pieces) => Buffer.from(pieces.join(''))),
);

test('the scanner does not throw on hostile bytes', () => {
  fc.assert(
    fc.property(hostileBytes, fc.nat(200), (bytes, cut) => {
      scan(bytes.subarray(0, cut), bytes.subarray(cut));
    }),
    { numRuns: 2000 },
  );
});
