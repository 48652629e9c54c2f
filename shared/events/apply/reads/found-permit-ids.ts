import type { RedisTime } from '../../../base/time.ts';
import type { About, Context } from '../../context.ts';
import type { Counter } from '../../mirror/counter.ts';
import { numbersOf } from '../counters/counters.ts';

/** The acquired permits of a semaphore whose permits have ids, and when they expire; null: never. */
export type Permits = ReadonlyMap<string, RedisTime | null>;

/** Whether both have the same permits, regardless of when these expire. */
export function hasSameIds(before: Permits, now: Permits): boolean {
  return before.size === now.size && [...before.keys()].every((id) => now.has(id));
}

/** Reports all permits that are known now. They replace those that earlier events reported. */
export function reportListed(to: Context, about: About, counter: Counter): void {
  const deadlines = [...counter.deadlines].map(([id, expiresAt]) => ({ id, expiresAt }));
  const beside = deadlines.length > 0 ? { deadlines } : undefined;
  to.emit(about, { type: 'permits.set', isFound: true, ...beside, ...numbersOf(counter) });
}

/**
 * At levels without commands, reports what happened to each permit between two reads. If a missing permit had to expire
 * by `about.at`, a script took it back; otherwise it was released.
 */
export function reportEachPermit(to: Context, about: About, before: Permits, counter: Counter): void {
  const gone = [...before.keys()].filter((id) => !counter.deadlines.has(id));
  const isOver = (id: string) => (before.get(id) ?? Number.POSITIVE_INFINITY) <= about.at;
  const taken = new Map<RedisTime | null, string[]>();
  for (const [id, end] of counter.deadlines) if (!before.has(id)) taken.set(end, [...(taken.get(end) ?? []), id]);
  const changes = [
    { type: 'permits.expired', permitIds: gone.filter(isOver) },
    { type: 'permits.released', permitIds: gone.filter((id) => !isOver(id)) },
    ...[...taken].map(([expiresAt, permitIds]) => {
      const end = expiresAt === null ? undefined : { expiresAt };
      return { type: 'permits.acquired', permitIds, ...end } as const;
    }),
  ] as const;
  const all = changes.filter(({ permitIds }) => permitIds.length > 0);
  for (const change of all) {
    // Only the numbers after the last change are known.
    const numbers = change === all.at(-1) ? numbersOf(counter) : undefined;
    to.emit(about, { ...change, permits: change.permitIds.length, ...numbers });
  }
}
