import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { byPlace, byText } from '../../../shared/insights/attention.ts';
import type { Gap } from '../../../shared/state/assumed-holds.ts';
import { idOf, isFree, isHeld, type LockState } from '../../../shared/state/lock-state.ts';
import { isLeftListening } from '../../../shared/state/lost-keys.ts';
import { isWanted, type LockFilter } from '../../../shared/state/replay/lock-filter.ts';
import { addWoken, seqBefore, worldAt } from '../../../shared/state/replay/replay.ts';
import type { Lock } from '../../../shared/wire/locks/lock.ts';
import { lockView, type PlacedLock, type PresenceOf, placedLock } from '../../../shared/wire/locks/lock-view.ts';
import { assumed, unwatched } from '../history/memory.ts';
import type { Remembered } from '../history/remembered.ts';
import { inParts, type Sliced } from '../slices/in-slices.ts';
import { FirstOf } from '../slices/sorted.ts';
import type { LockPage, LockPageQuery } from '../terms/queries.ts';

/** Locks to make a page of, how each is ranked, and how it is shown. */
type PageOfLocks = {
  readonly busy: Iterable<LockState>;
  readonly free: Iterable<LockState>;
  placeOf(lock: LockState): PlacedLock;
  viewOf(lock: LockState): Lock;
};

/** One page of the wanted locks, those that need attention first. Only the locks of the page are made into views. */
export function* lockPage(of: PageOfLocks, { from, limit, isWanted = () => true }: LockPageQuery): Sliced<LockPage> {
  const last = from + limit;
  const urgent = new FirstOf<PlacedLock>(last, byPlace);
  const others = new FirstOf<LockState>(last, byName);
  let urgentCount = 0;
  let total = 0;
  for (const part of inParts([...of.busy])) {
    for (const lock of part) {
      if (!isWanted({ ...keyOf(lock), held: isHeld(lock) })) continue;
      total++;
      const place = of.placeOf(lock);
      if (place.need > 0) {
        urgentCount++;
        urgent.add(place);
      } else others.add(lock);
    }
    yield;
  }
  for (const part of inParts([...of.free])) {
    for (const lock of part) {
      if (!isWanted({ ...keyOf(lock), held: false })) continue;
      total++;
      others.add(lock);
    }
    yield;
  }
  const first = urgent.sorted().slice(from, last);
  const start = Math.max(0, from - urgentCount);
  const rest = first.length === limit ? [] : others.sorted().slice(start, start + limit - first.length);
  return { locks: [...first.map(({ lock }) => lock), ...rest].map(of.viewOf), total };
}

function keyOf({ source, db, name, kind }: LockState) {
  return { source, db, name, kind };
}

/**
 * A request about the past. `present`: the locks as they are now; those without a change since then are used as they
 * are.
 */
export type PastQuery = {
  readonly present: Iterable<LockState>;
  readonly presenceOf: PresenceOf;
  /** The ranges of time, up to that instant, in which a source was not watched. */
  readonly gapsOf: (source: string) => readonly Gap[];
  /** Since when the observer of a source had been silent at that instant. */
  readonly silentSince: (source: string) => RedisTime | undefined;
  readonly filter?: LockFilter;
};

/** The locks of a past instant. */
export function* pastLocks(
  memory: Remembered,
  at: RedisTime,
  { present, presenceOf, gapsOf, silentSince, filter = {} }: PastQuery,
): Sliced<PageOfLocks & { readonly seq: number }> {
  const seq = seqBefore(memory, redisTime(at + 1)); // `at` itself included
  const world = yield* worldAt(memory, seq, at, filter);
  const missing = new Set<string>();
  for (const part of inParts(present)) {
    for (const lock of part) {
      if (!isWanted(lock, filter)) continue;
      if (lock.changedSeq <= seq) world.add(lock);
      else if (!world.has(idOf(lock))) missing.add(idOf(lock));
    }
    yield;
  }
  yield* addWoken(world, memory, { seq, last: memory.nextSeq, filter, missing });
  const known = [...world.locks(), ...world.unwatched()];
  return {
    seq,
    busy: known.filter(isInUse),
    free: known.filter((lock) => !isInUse(lock)),
    placeOf: (lock) => placedLock(lock, at, presenceOf),
    viewOf: (lock) => ({
      ...lockView(lock, at, presenceOf),
      ...assumed(lock, gapsOf(lock.source)),
      ...unwatched(world.blind, lock, silentSince(lock.source)),
    }),
  };
}

/** Whether a lock may need attention. */
function isInUse(lock: LockState): boolean {
  return !isFree(lock) || isLeftListening(lock);
}

function byName(a: LockPlace, b: LockPlace): number {
  return byText(a.name, b.name) || byText(a.source, b.source) || a.db - b.db;
}

type LockPlace = { readonly name: string; readonly source: string; readonly db: number };
