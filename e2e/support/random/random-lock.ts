import type { DemoKind } from '../../../shared/wire/demo.ts';

/** One lock of a random program. Its kind never changes. */
export type RandomLock = {
  readonly name: string;
  readonly kind: Exclude<DemoKind, 'read-lock' | 'write-lock'> | 'read-write';
};

/** Locks of every kind. Some names are hard to quote, others have a hash tag that puts their keys into one slot. */
export const EVERY_KIND: readonly RandomLock[] = [
  { name: 'stock:7', kind: 'lock' },
  { name: 'with "quotes" and \\', kind: 'lock' },
  { name: 'fair "queue" 锁', kind: 'fair-lock' },
  { name: 'tenant:{9}:queue', kind: 'fair-lock' },
  { name: 'catalog', kind: 'read-write' },
  { name: 'tenant:{9}:catalog', kind: 'read-write' },
  { name: 'ledger', kind: 'fenced-lock' },
  { name: 'ticker', kind: 'spin-lock' },
  { name: 'gate', kind: 'semaphore' },
  { name: 'slots', kind: 'expirable-semaphore' },
  { name: 'boot', kind: 'latch' },
];

const COUNTING: ReadonlySet<RandomLock['kind']> = new Set(['semaphore', 'expirable-semaphore', 'latch']);

/** Whether the lock is a semaphore or a latch, which no thread holds. */
export function isCounting({ kind }: RandomLock): boolean {
  return COUNTING.has(kind);
}

/** The mode in which an order of this kind acquires a lock. A thread may hold a read-write lock in both modes. */
export function modeOfOrder(kind: DemoKind | undefined): 'read' | 'write' | 'exclusive' {
  if (kind === 'read-lock') return 'read';
  return kind === 'write-lock' ? 'write' : 'exclusive';
}
