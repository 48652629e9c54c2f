import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { Room } from './room.ts';

const LIMITS = { answersEach: 8, bytes: 20, bytesAtMost: 40, stuckMs: 1000 };

test('above the highest limit, a reader that reads stays open if closing stuck readers is enough', () => {
  let now = 0;
  const room = new Room(LIMITS, () => now, new EventEmitter());
  const closed: string[] = [];
  const readers = [
    { name: 'reads', bytes: 18, taken: 0 },
    { name: 'stuck', bytes: 15, taken: 0 },
    { name: 'stuck too', bytes: 5, taken: 0 },
  ];
  for (const reader of readers) {
    room.add({ bytes: () => reader.bytes, taken: () => reader.taken, close: () => closed.push(reader.name) });
  }
  const [reads, , grows] = readers;
  for (; now < 2000; now += 250) {
    if (reads) reads.taken++;
    if (now < 1000) room.makeRoom();
  }
  if (grows) grows.bytes = 12;
  expect(room.makeRoom()).toBe(18);
  expect(closed).toEqual(['stuck', 'stuck too']);
});

test('above the highest limit, the largest readers are closed even if they read', () => {
  let taken = 0;
  const room = new Room(LIMITS, () => 0, new EventEmitter());
  const closed: number[] = [];
  for (const bytes of [10, 25, 15]) {
    room.add({ bytes: () => bytes, taken: () => ++taken, close: () => closed.push(bytes) });
  }
  expect(room.makeRoom()).toBe(25);
  expect(closed).toEqual([25]);
});
