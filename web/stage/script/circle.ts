import type { World } from './world.ts';

/** One step of a circle: a waiting thread and the lock it wants, which the next thread holds. */
export type CircleStep = { readonly holder: string; readonly wants: string };

/**
 * The threads that wait for each other in a circle; null if there is no circle.
 *
 *   A ──wants stock:7──▶ B ──wants orders:42──▶ A
 *
 * A thread that was refused once may not be waiting, so only threads that went to sleep count.
 */
export function circleIn({ locks }: Pick<World, 'locks'>): readonly CircleStep[] | null {
  const wants = new Map<string, string>();
  const heldBy = new Map<string, string>();
  for (const [key, lock] of locks) {
    const [holder] = lock.holders;
    if (lock.holders.length === 1 && holder) heldBy.set(key, holder.id);
    for (const { id, isAsleep, presumedGoneAt } of lock.waiters)
      if (isAsleep && presumedGoneAt === null) wants.set(id, key);
  }
  for (const start of [...wants.keys()].sort()) {
    const path: CircleStep[] = [];
    let next: string | undefined = start;
    while (next !== undefined && path.length <= wants.size) {
      const lock: string | undefined = wants.get(next);
      if (lock === undefined) break;
      path.push({ holder: next, wants: lock });
      next = heldBy.get(lock);
      if (next === start) return path;
    }
  }
  return null;
}
