import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redisTime } from '../base/time.ts';
import { EVENT_TYPES, type LockEvent } from '../events/event.ts';
import { helloMessage, packEvents, unpackEvents, wantMessage } from './socket.ts';

const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', '__proto__', 'constructor', 'orders:42'));
const seqs = fc.nat({ max: 2 ** 40 });

const event = fc
  .record(
    {
      seq: seqs,
      at: fc.nat({ max: 2 ** 52 }),
      source: text,
      db: fc.nat({ max: 100 }),
      lock: text,
      kind: fc.constantFrom('lock', 'fair-lock', 'latch'),
      certainty: fc.constantFrom('observed', 'inferred'),
      type: fc.constantFrom(...EVENT_TYPES),
      holder: text,
      holdCount: fc.nat(),
      ttlMs: fc.oneof(fc.nat(), fc.constant(null)),
      by: text,
      because: fc.array(seqs),
      reason: text,
    },
    { requiredKeys: ['seq', 'at', 'source', 'db', 'lock', 'kind', 'certainty', 'type'] },
  )
  .map((fields) => fields as unknown as LockEvent); // any combination of fields must survive

describe('packEvents and unpackEvents', () => {
  test('return equal events after JSON encoding and decoding', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 20 }), (events) => {
        const received = JSON.parse(JSON.stringify(packEvents(events)));
        expect(unpackEvents(received)).toEqual(events.map((each) => ({ ...each })));
      }),
    );
  });

  test('a word that many events share is sent once', () => {
    const events = Array.from(
      { length: 100 },
      (_, n): LockEvent => ({
        seq: n + 1,
        at: redisTime(1_760_000_000_000_000 + n * 250),
        source: 'main',
        db: 0,
        lock: 'orders:42',
        kind: 'lock',
        type: 'lock.acquired',
        holder: '0d5d9d1c-5c12-4b4c-9d1a-2b1a5e1e7f11:62',
        mode: 'exclusive',
        holdCount: 1,
        leaseMs: 30_000,
        certainty: 'observed',
      }),
    );
    const packed = packEvents(events);
    expect(packed.words).toHaveLength(5);
    expect(JSON.stringify(packed).length * 2).toBeLessThan(JSON.stringify(events).length);
  });

  test('no events', () => {
    expect(unpackEvents(packEvents([]))).toEqual([]);
  });
});

test.each([
  [{}, false],
  [{ v: 2 }, false],
  [{ v: 1, after: -1 }, false],
  [{ v: 1, after: 1.5 }, false],
  [{ v: 1, after: 'x' }, false],
  [null, false],
  ['hello', false],
  [{ v: 1 }, true],
  [{ v: 1, after: 0, run: 'r' }, true],
])('hello %j: %s', (message, isFine) => {
  expect(helloMessage.safeParse(message).success).toBe(isFine);
});

test.each([
  [{ locks: 'a' }, false],
  [{ locks: [1] }, false],
  [{ locks: Array(1001).fill('a') }, false],
  [{ events: 'no' }, false],
  [{}, true],
  [{ locks: ['main/0/a'], events: false }, true],
])('want %j: %s', (message, isFine) => {
  expect(wantMessage.safeParse(message).success).toBe(isFine);
});
