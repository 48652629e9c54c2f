import { isFree, isHeld, type LockState } from '../../../shared/state/lock-state.ts';
import type { Lock } from '../../../shared/wire/locks/lock.ts';
import type { Memory } from '../history/memory.ts';
import { inParts, type Sliced } from '../slices/in-slices.ts';
import type { LockPage, LockPageQuery } from '../terms/queries.ts';

/** One page of the wanted locks as they are now. If all are wanted, only the locks up to the page's end are read. */
export function* presentPage(memory: Memory, { from, limit, isWanted }: LockPageQuery): Sliced<LockPage> {
  const { world, attention } = memory;
  const last = from + limit;
  if (!isWanted) return { locks: viewsOf(memory, firstOf(attention.inOrder(), last).slice(from)), total: world.size };
  const page: string[] = [];
  let total = 0;
  for (const part of inParts([...attention.inOrder()])) {
    for (const { id } of part) {
      const lock = world.get(id);
      if (!lock || !isWanted(keyOf(lock))) continue;
      if (total >= from && total < last) page.push(id);
      total++;
    }
    yield;
  }
  return { locks: viewsOf(memory, page), total };
}

/** The first `most` locks: those held or waited for, then at most `mostFree` free ones. */
export function presentLocks(memory: Memory, mostFree: number, most: number): Lock[] {
  const busy: string[] = [];
  const free: string[] = [];
  for (const { id } of memory.attention.inOrder()) {
    if (busy.length >= most) break;
    const lock = memory.world.get(id);
    if (!lock) continue;
    if (!isFree(lock)) busy.push(id);
    else if (free.length < mostFree) free.push(id);
  }
  return viewsOf(memory, [...busy, ...free.slice(0, Math.max(0, most - busy.length))]);
}

function firstOf(places: Iterable<{ readonly id: string }>, count: number): string[] {
  const first: string[] = [];
  if (count <= 0) return first;
  for (const { id } of places) if (first.push(id) >= count) break;
  return first;
}

function viewsOf(memory: Memory, ids: readonly string[]): Lock[] {
  return ids.flatMap((id) => {
    const lock = memory.world.get(id);
    return lock ? [memory.viewOf(lock)] : [];
  });
}

function keyOf(lock: LockState) {
  const { source, db, name, kind } = lock;
  return { source, db, name, kind, held: isHeld(lock) };
}
