import { firstFrom } from '../../../shared/base/search.ts';
import type { RedisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import { lockIdOf, nameInId } from '../../../shared/state/lock-state.ts';
import type { LockPart } from '../../../shared/state/replay/lock-replay.ts';
import type { Forgotten } from '../../../shared/state/replay/past-world.ts';
import type { WindowBody } from '../../../shared/wire/window.ts';
import { beganBlind } from './blind-spots.ts';
import type { TimeSpan } from './time-span.ts';

/** Locks dropped from the server's memory after event `afterSeq`: the locks in `ids`, all of a source, or all. */
export type Drop = Forgotten<ReadonlySet<string>>;

/** A range in which nothing is known about one lock. `to` is null if it has not ended. */
export type DroppedRange = { readonly from: RedisTime; readonly to: RedisTime | null };

/** The parts of a window needed to find dropped ranges. */
type Droppable = { readonly drops: readonly Drop[]; partOf(id: string): LockPart };

/** The server keeps at most this many drops. */
const MOST_DROPS = 1000;

/** The drops in a response of the server. */
export function dropsFrom({ forgotten }: Pick<WindowBody, 'forgotten'>): Drop[] {
  return forgotten.map(({ afterSeq, at, source, ids }) => ({
    afterSeq,
    at: at as RedisTime, // the field is Redis time
    source,
    ids: ids && new Set(ids),
  }));
}

/**
 * Merges two ordered lists of drops, each of which may name only some locks of a drop. Keeps the last 1,000. Returns
 * `a` itself if nothing is new.
 */
export function joinedDrops(a: readonly Drop[], b: readonly Drop[]): readonly Drop[] {
  const all = new Map(a.map((drop) => [keyOf(drop), drop]));
  let hasNew = false;
  for (const drop of b) {
    const known = all.get(keyOf(drop));
    if (known && [...(drop.ids ?? [])].every((id) => known.ids?.has(id))) continue;
    all.set(keyOf(drop), known ? { ...drop, ids: new Set([...(known.ids ?? []), ...(drop.ids ?? [])]) } : drop);
    hasNew = true;
  }
  return hasNew ? [...all.values()].sort((x, y) => x.afterSeq - y.afterSeq || x.at - y.at).slice(-MOST_DROPS) : a;
}

/** The drops that still apply at a left edge. `events`: the last events before it. */
export function dropsBehind(drops: readonly Drop[], events: readonly LockEvent[]): readonly Drop[] {
  const last = events.at(-1)?.seq ?? 0;
  if (!drops.some(({ afterSeq }) => afterSeq < last)) return drops;
  const newest = new Map(events.map((event) => [lockIdOf(event), event.seq]));
  return drops.flatMap((drop) => {
    if (drop.afterSeq >= last) return [drop];
    const ids = [...(drop.ids ?? [])].filter((id) => (newest.get(id) ?? 0) <= drop.afterSeq);
    return ids.length === 0 ? [] : [{ ...drop, ids: new Set(ids) }];
  });
}

/**
 * The ids of single locks that were dropped: those with the name `onlyLock`; empty: all. A lock that was dropped before
 * the left edge is known only from these.
 */
export function droppedIds(drops: readonly Drop[], onlyLock: string): string[] {
  const ids = drops.flatMap((drop) => [...(drop.ids ?? [])]);
  return onlyLock === '' ? ids : ids.filter((id) => nameInId(id) === onlyLock);
}

/** Whether a drop is about a lock. */
function isDropOf({ source, ids }: Drop, id: string): boolean {
  return (source === undefined || id.startsWith(`${source}/`)) && (ids === undefined || ids.has(id));
}

/**
 * The ranges in which nothing is known about a lock: from each drop to the lock's next event, which may be an event about
 * its whole source.
 *
 *   events   acquired ─────┆ dropped        found ─────
 *   range                |················|
 */
export function droppedOf(window: Droppable, id: string): DroppedRange[] {
  if (window.drops.length === 0) return [];
  const part = window.partOf(id);
  return dropsOf(part, id, window.drops)
    .map(({ afterSeq, at: from }) => ({ from, to: part.events[placeAfter(part, afterSeq)]?.at ?? null }))
    .filter(({ from, to }) => to === null || from < to);
}

export function isRangeInView({ from, to }: DroppedRange, view: TimeSpan, now: RedisTime): boolean {
  return from < view.to && (to ?? now) > view.from;
}

/** Whether, in a part of the view, nothing is known about one of the locks because it was dropped from memory. */
export function hasDroppedIn(window: Droppable, ids: Iterable<string>, view: TimeSpan, now: RedisTime): boolean {
  for (const id of ids) if (droppedOf(window, id).some((range) => isRangeInView(range, view, now))) return true;
  return false;
}

/**
 * One lock's history for its marks, with each drop added as the beginning of a blind spot, which ends open holds and
 * waits.
 */
export function withDrops(part: LockPart, id: string, drops: readonly Drop[]): LockPart {
  const own = dropsOf(part, id, drops);
  if (own.length === 0) return part;
  const events: LockEvent[] = [];
  let done = 0;
  for (const { afterSeq, at } of own) {
    const place = placeAfter(part, afterSeq);
    events.push(...part.events.slice(done, place));
    events.push(beganBlind({ source: id.slice(0, id.indexOf('/')), since: at, reason: 'dropped' }));
    done = place;
  }
  return { base: part.base, events: [...events, ...part.events.slice(done)] };
}

/** The `afterSeq` of the last drop of a lock at or before an instant; 0 without such a drop. */
export function lastDropBefore(window: Droppable, id: string, at: RedisTime): number {
  return dropsOf(window.partOf(id), id, window.drops).findLast((drop) => drop.at <= at)?.afterSeq ?? 0;
}

/** The drops of one lock. A drop before the newest change in the state at the left edge no longer applies. */
function dropsOf({ base }: LockPart, id: string, drops: readonly Drop[]): readonly Drop[] {
  return drops.filter((drop) => isDropOf(drop, id) && (!base || base.changedSeq <= drop.afterSeq));
}

function placeAfter({ events }: LockPart, seq: number): number {
  return firstFrom(events, seq + 1, (event) => event.seq);
}

function keyOf({ afterSeq, at, source, ids }: Drop): string {
  return `${afterSeq} ${at} ${source ?? ''} ${ids ? 'some' : 'all'}`;
}
