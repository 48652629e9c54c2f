import type { Insight } from './insight.ts';

/** The ids of the locks that a problem is about: its own lock, and those of its circle, maybe of other sources. */
export function lockIdsIn({ lockId, values }: Insight): readonly string[] {
  const own = lockId === null ? [] : [lockId];
  return 'path' in values ? [...own, ...values.path.flatMap((step) => step.lockId ?? [])] : own;
}
