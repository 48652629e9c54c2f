import { expect, test } from 'vitest';
import { Backlog } from './backlog.ts';
import type { BlockEntry } from './bus-entry.ts';

function block(first: number, last: number, size = 10): BlockEntry {
  const times = { from: first * 100, to: last * 100 };
  return { kind: 'block', run: 1, first, last, ...times, event: last + 1, bytes: Buffer.alloc(size) };
}

function filled(limits: { bytes: number; ms: number }, at: readonly number[]): Backlog {
  const backlog = new Backlog(limits);
  for (const [n, ms] of at.entries()) backlog.add(block(n * 10 + 1, n * 10 + 10), ms, 'bus-gone');
  return backlog;
}

test('blocks beyond the limit of bytes are dropped, the oldest first, and reported as one gap', () => {
  const backlog = filled({ bytes: 25, ms: 1000 }, [0, 1, 2, 3]);
  expect(backlog.gap).toEqual({ run: 1, first: 1, last: 20, from: 100, to: 2000, event: 21, reason: 'bus-gone' });
  expect(backlog.first?.first).toBe(21);
  expect(backlog.bytes).toBe(20);
});

test('blocks that wait too long are dropped', () => {
  const backlog = filled({ bytes: 1000, ms: 100 }, [0, 50, 140]);
  expect(backlog.gap).toMatchObject({ first: 1, last: 10 });
  expect(backlog.first?.first).toBe(11);
});

test('blocks that are already on the bus are neither written again nor part of a gap', () => {
  const backlog = filled({ bytes: 25, ms: 1000 }, [0, 1, 2, 3]);
  backlog.confirm(10);
  expect(backlog.gap).toMatchObject({ first: 11, last: 20 });
  backlog.confirm(30);
  expect(backlog.gap).toBeUndefined();
  expect(backlog.first?.first).toBe(31);
  expect(backlog.bytes).toBe(10);
});

test('the first block that waits begins right after the gap', () => {
  const backlog = filled({ bytes: 45, ms: 30 }, [0, 10, 20, 35, 38, 61, 62]);
  const { gap } = backlog;
  expect(gap?.first).toBe(1);
  expect(backlog.first?.first).toBe((gap?.last ?? 0) + 1);
});
