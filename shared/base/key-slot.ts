import { binaryFromText } from './bytes-text.ts';

const SLOTS = 16_384;
const POLYNOMIAL = 0x1021;
const TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ POLYNOMIAL : crc << 1;
  return crc & 0xffff;
});

/**
 * Returns the slot of a key in a Redis cluster: CRC16 of the key, or of the part between its first `{` and the next
 * `}`.
 *
 *   orders:42 → 11414      redisson_lock__channel:{orders:42} → 11414
 */
export function keySlot(key: string): number {
  const bytes = binaryFromText(key);
  const open = bytes.indexOf('{');
  const close = open === -1 ? -1 : bytes.indexOf('}', open + 1);
  const hashed = close > open + 1 ? bytes.slice(open + 1, close) : bytes;
  let crc = 0;
  for (let at = 0; at < hashed.length; at++) {
    crc = ((crc << 8) & 0xffff) ^ (TABLE[((crc >> 8) ^ hashed.charCodeAt(at)) & 0xff] ?? 0);
  }
  return crc % SLOTS;
}

/** The first and last slot of each range that a shard serves. */
export type SlotRanges = readonly (readonly [number, number])[];

/** Whether a shard serves this slot. */
export function hasSlot(ranges: SlotRanges, slot: number): boolean {
  return ranges.some(([first, last]) => first <= slot && slot <= last);
}

/** Returns the number of slots that are in both. */
export function commonSlots(a: SlotRanges, b: SlotRanges): number {
  let count = 0;
  for (const [first, last] of a) {
    for (const [from, to] of b) count += Math.max(0, Math.min(last, to) - Math.max(first, from) + 1);
  }
  return count;
}

export function slotsWithout(ranges: SlotRanges, others: SlotRanges): SlotRanges {
  let left = ranges;
  for (const [from, to] of others) {
    left = left.flatMap(([first, last]): SlotRanges => {
      if (to < first || last < from) return [[first, last]];
      return [...(first < from ? [[first, from - 1] as const] : []), ...(to < last ? [[to + 1, last] as const] : [])];
    });
  }
  return left;
}
