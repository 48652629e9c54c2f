import type { DemoKind } from '../../shared/wire/demo.ts';

/** One lock of a random program, used as one kind from beginning to end. */
export type RandomLock = {
  readonly name: string;
  readonly kind: Exclude<DemoKind, 'read-lock' | 'write-lock'> | 'read-write';
};

const COUNTING: ReadonlySet<RandomLock['kind']> = new Set(['semaphore', 'expirable-semaphore', 'latch']);

/** Whether it counts instead of being held by a thread. */
export function isCounting({ kind }: RandomLock): boolean {
  return COUNTING.has(kind);
}

/** What an order of this kind takes a lock for: a thread may hold a read-write lock twice. */
export function modeOfOrder(kind: DemoKind | undefined): 'read' | 'write' | 'exclusive' {
  if (kind === 'read-lock') return 'read';
  return kind === 'write-lock' ? 'write' : 'exclusive';
}
