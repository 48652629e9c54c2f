import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redisTime } from '../base/time.ts';
import { EVENT_TYPES, type LockEvent } from '../events/event.ts';
import { EventPacker, EventUnpacker } from './packed-events.ts';

const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', '__proto__', 'constructor', 'orders:42'));

const fields = fc.record(
  {
    at: fc.nat({ max: 2 ** 52 }),
    source: text,
    db: fc.nat({ max: 3 }),
    lock: text,
    kind: fc.constantFrom('lock', 'fair-lock', 'latch'),
    certainty: fc.constantFrom('observed', 'inferred'),
    type: fc.constantFrom(...EVENT_TYPES),
    holder: text,
    holdCount: fc.nat(),
    leaseMs: fc.oneof(fc.nat({ max: 100_000 }), fc.constant(null)),
    expiresAt: fc.nat({ max: 2 ** 52 }),
    waitedMs: fc.double({ noNaN: true, noDefaultInfinity: true }),
    because: fc.array(fc.nat({ max: 2 ** 40 })),
    holders: fc.array(fc.record({ holder: text, holdCount: fc.nat() }), { maxLength: 2 }),
    callerSawSuccess: fc.constant(true),
    reason: text,
  },
  { requiredKeys: ['at', 'source', 'db', 'lock', 'kind', 'certainty', 'type'] },
);
/** Events with rising `seq`s that have gaps, and with leases that end when they were set to. */
const event = fc.record({ fields, hole: fc.nat({ max: 3 }), isLeaseEnd: fc.boolean() });
const stream = fc.array(fc.array(event, { maxLength: 8 }), { maxLength: 6 });

test('packed events unpack to equal events, message after message, after JSON encoding and decoding', () => {
  fc.assert(
    fc.property(stream, (messages) => {
      const packer = new EventPacker();
      const unpacker = new EventUnpacker();
      let seq = 1;
      for (const message of messages) {
        const events = message.map(({ fields, hole, isLeaseEnd }) => {
          seq += 1 + hole;
          const { at, leaseMs } = fields;
          const end = isLeaseEnd && typeof leaseMs === 'number' ? { expiresAt: at + leaseMs * 1000 } : {};
          return { seq, ...fields, ...end } as unknown as LockEvent; // any combination of fields must survive
        });
        const received = JSON.parse(JSON.stringify(packer.pack(events)));
        expect(unpacker.unpack(received)).toEqual(JSON.parse(JSON.stringify(events)));
      }
    }),
  );
});

test('a word and a shape are sent once in the whole stream', () => {
  const packer = new EventPacker();
  const acquired = (seq: number): LockEvent => ({
    seq,
    at: redisTime(1_760_000_000_000_000 + seq * 250),
    source: 'main',
    db: 0,
    lock: 'orders:42',
    kind: 'lock',
    type: 'lock.acquired',
    holder: '0d5d9d1c-5c12-4b4c-9d1a-2b1a5e1e7f11:62',
    mode: 'exclusive',
    holdCount: 1,
    leaseMs: 30_000,
    expiresAt: redisTime(1_760_000_000_000_000 + seq * 250 + 30_000_000),
    certainty: 'observed',
  });
  const first = packer.pack([acquired(1), acquired(2)]);
  expect(first.words).toEqual(['orders:42', '0d5d9d1c-5c12-4b4c-9d1a-2b1a5e1e7f11:62', 'exclusive']);
  expect(first.shapes).toHaveLength(1);
  const second = packer.pack([acquired(3)]);
  expect(second).toMatchObject({ words: [], shapes: [], seq: 3 });
  expect(JSON.stringify(second.rows).length).toBeLessThan(30);
});
