import type { LockEvent } from '../../../shared/events/event.ts';
import type { Hold } from '../../../shared/spans/holds-from-events.ts';
import { PermitTakers } from '../../../shared/spans/permit-takers.ts';
import type { LockState } from '../../../shared/state/lock-state.ts';
import type { HoldLevel, Permit } from './marks.ts';

/** How many permits without ids each holder had after each change. `base`: the semaphore before the first event. */
export function permitLevels(events: readonly LockEvent[], base?: LockState): Map<string, HoldLevel[]> {
  const levels = new Map<string, HoldLevel[]>();
  const takers = new PermitTakers(base);
  for (const { id, client, since, firstAt, holdCount } of base?.holders ?? []) {
    const at = since ?? firstAt;
    if (client === undefined && at !== undefined) levels.set(id, [{ at, count: holdCount ?? 1 }]);
  }
  for (const event of events) {
    if (!event.type.startsWith('permits.')) continue;
    const { ended } = takers.after(event);
    for (const id of ended) levels.get(id)?.push({ at: event.at, count: 0 });
    if ('permitIds' in event && event.permitIds) continue;
    for (const [id, count] of takers.counts()) {
      const known = levels.get(id);
      if (known?.at(-1)?.count === count) continue;
      if (known) known.push({ at: event.at, count });
      else levels.set(id, [{ at: event.at, count }]);
    }
  }
  return levels;
}

/** The id of each hold. One event may begin several holds, for example an acquisition of many permits. */
export function holdIds(holds: readonly Hold[]): Map<Hold, string> {
  const counts = new Map<number, number>();
  return new Map(
    holds.map((hold) => {
      const nth = (counts.get(hold.fromSeq) ?? 0) + 1;
      counts.set(hold.fromSeq, nth);
      return [hold, nth === 1 ? `h${hold.fromSeq}` : `h${hold.fromSeq}-${nth}`];
    }),
  );
}

/** With more permits than this at once, the last slot has several of them. */
const MOST_SLOTS = 6;

/**
 * Puts each permit of one taker into the lowest free slot.
 *
 *   slot 1      [====p2====]   [==p4==]
 *   slot 0   [==p1==]   [=====p3======]
 */
export function permitSlots(holds: readonly Hold[]): Map<Hold, Permit> {
  const ends: number[] = [];
  const slots = new Map<Hold, number>();
  for (const hold of holds) {
    const free = ends.findIndex((end) => end <= hold.from);
    const slot = Math.min(free === -1 ? ends.length : free, MOST_SLOTS - 1);
    ends[slot] = Math.max(ends[slot] ?? 0, hold.to ?? Number.POSITIVE_INFINITY);
    slots.set(hold, slot);
  }
  const permits = new Map<Hold, Permit>();
  for (const [hold, slot] of slots) {
    permits.set(hold, { id: hold.holder, until: hold.until ?? null, slot, slots: ends.length });
  }
  return permits;
}
