import type { RedisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import type { WindowBody } from '../../shared/wire/window.ts';
import { beganBlind } from './blind-spots.ts';
import type { LockPart, TimelineHistory } from './history.ts';
import type { Span } from './scale.ts';
import { firstFrom } from './search.ts';

/** After the event with this `seq` some locks were dropped: those with these ids, those of a source, or all. */
export type Drop = {
  readonly afterSeq: number;
  readonly at: RedisTime;
  readonly source?: string | undefined;
  readonly ids?: ReadonlySet<string> | undefined;
};

/** A stretch in which nothing is known of one lock. Null: it still lasts. */
export type DroppedStretch = { readonly from: RedisTime; readonly to: RedisTime | null };

type Droppable = Pick<TimelineHistory, 'partOf' | 'drops'>;

/** The server keeps at most this many. */
const MOST_DROPS = 1000;

/** The drops in an answer of the server. */
export function dropsFrom({ forgotten }: Pick<WindowBody, 'forgotten'>): Drop[] {
  return forgotten.map(({ afterSeq, at, source, ids }) => ({
    afterSeq,
    at: at as RedisTime, // the field is Redis time
    source,
    ids: ids && new Set(ids),
  }));
}

/** Two lists as one, in order: what is in both counts once. */
export function joinedDrops(a: readonly Drop[], b: readonly Drop[]): readonly Drop[] {
  if (b.length === 0) return a;
  const known = new Set(a.map(keyOf));
  const all = [...a, ...b.filter((drop) => !known.has(keyOf(drop)))];
  return all.sort((x, y) => x.afterSeq - y.afterSeq || x.at - y.at).slice(-MOST_DROPS);
}

/** Whether a drop is about a lock. */
export function isDropOf({ source, ids }: Drop, id: string): boolean {
  return (source === undefined || id.startsWith(`${source}/`)) && (ids === undefined || ids.has(id));
}

/**
 * When nothing is known of a lock: from each drop to its next event, or to one about its whole source.
 *
 *   events   acquired ─────┆ dropped        found ─────
 *   stretch                |················|
 */
export function droppedOf(history: Droppable, id: string): DroppedStretch[] {
  if (history.drops.length === 0) return [];
  const part = history.partOf(id);
  return dropsOf(part, id, history.drops)
    .map(({ afterSeq, at: from }) => ({ from, to: part.events[placeAfter(part, afterSeq)]?.at ?? null }))
    .filter(({ from, to }) => to === null || from < to);
}

export function isStretchInView({ from, to }: DroppedStretch, view: Span, now: RedisTime): boolean {
  return from < view.to && (to ?? now) > view.from;
}

/** One lock's history for its marks: a drop ends what was open, as a blind spot does. */
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

/** One lock's history as far as it counts at an instant: nothing from before its last drop. */
export function partAt(history: Droppable, id: string, at: RedisTime): LockPart {
  const part = history.partOf(id);
  const last = dropsOf(part, id, history.drops).findLast((drop) => drop.at <= at);
  return last ? { base: undefined, events: part.events.slice(placeAfter(part, last.afterSeq)) } : part;
}

/** A drop before the newest change that the state at the left edge knows is over. */
function dropsOf({ base }: LockPart, id: string, drops: readonly Drop[]): readonly Drop[] {
  return drops.filter((drop) => isDropOf(drop, id) && (!base || base.changedSeq <= drop.afterSeq));
}

function placeAfter({ events }: LockPart, seq: number): number {
  return firstFrom(events, seq + 1, (event) => event.seq);
}

function keyOf({ afterSeq, at, source, ids }: Drop): string {
  return `${afterSeq} ${at} ${source ?? ''} ${ids?.size ?? ''}`;
}
