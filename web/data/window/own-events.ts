import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { isOfSource, type LockEvent } from '../../../shared/events/event.ts';
import { type LockState, lockIdOf } from '../../../shared/state/lock-state.ts';
import type { LockPart } from '../../../shared/state/replay/lock-replay.ts';
import { beganBlind } from './blind-spots.ts';
import { type Drop, joinedDrops, withDrops } from './drops.ts';
import type { LoadedRange } from './loaded-range.ts';
import type { TimeSpan } from './time-span.ts';

/** What the window has of a lock, and the range in which no event is missing. */
type InWindow = {
  readonly part: LockPart;
  readonly from: RedisTime | null;
  readonly to: RedisTime | null;
  readonly stateSeq: number;
  readonly lastSeq: number;
  readonly drops: readonly Drop[];
};

type Own = TimeSpan & {
  readonly range: LoadedRange;
  readonly base: LockState | undefined;
  readonly events: LockEvent[];
};

/**
 * All events of single locks, in a range of time that is longer than the window of all locks. Most locks have few
 * enough events for that.
 *
 *   window                        |== all locks ==|
 *   own events       |============|= of the window =|====|
 */
export class OwnEvents {
  readonly #own = new Map<string, Own>();
  /** Ranges in which a lock has too many events to read. */
  readonly #tooMany = new Map<string, TimeSpan>();

  clear(): void {
    this.#own.clear();
    this.#tooMany.clear();
  }

  ids(): IterableIterator<string> {
    return this.#own.keys();
  }

  /** Takes a range that was read for one lock, up to `to`. */
  set(id: string, range: LoadedRange, to: RedisTime): void {
    const source = id.slice(0, id.indexOf('/'));
    const events = range.events.filter((event) =>
      isOfSource(event) ? event.source === source && isOfSight(event) : lockIdOf(event) === id,
    );
    const base = range.locks.find((lock) => lockIdOf({ ...lock, lock: lock.name }) === id);
    const spot = base && range.blind.find((each) => each.source === source);
    this.#tooMany.delete(id);
    this.#own.set(id, { from: range.from, to, range, base, events: spot ? [beganBlind(spot), ...events] : events });
  }

  /** Notes that a lock has too many events in a range to read them. */
  setTooMany(id: string, span: TimeSpan): void {
    this.#tooMany.set(id, { from: redisTime(span.from), to: redisTime(span.to) });
  }

  /**
   * Whether a lock has too many events to read in a view: true if an earlier range had too many, and was less than four
   * times as long as this view.
   */
  hasTooMany(id: string, view: TimeSpan): boolean {
    const span = this.#tooMany.get(id);
    return span !== undefined && view.to - view.from > (span.to - span.from) / 4;
  }

  /** Whether the own events and the window together have all events of a lock in a range. */
  covers(id: string, span: TimeSpan, window: Omit<InWindow, 'part'>): boolean {
    const own = this.#own.get(id);
    if (!own || !isJoined(own, window)) return false;
    const end = window.from !== null && window.to === null ? window.from : span.to;
    return own.from <= span.from && own.to >= end;
  }

  /**
   * Joins the own events of a lock with its events in the window. Undefined if it has no own events, or if events
   * between its own events and the window are missing.
   */
  around(id: string, { part, drops, ...window }: InWindow): LockPart | undefined {
    const own = this.#own.get(id);
    if (!own || !isJoined(own, window)) return undefined;
    const { stateSeq } = own.range;
    const left = own.events.filter(({ seq }) => seq <= window.stateSeq);
    const right = window.to === null ? [] : own.events.filter(({ seq }) => seq > Math.max(window.lastSeq, stateSeq));
    const isOwnFirst = stateSeq <= window.stateSeq;
    const inside = window.from === null ? own.events : [...(isOwnFirst ? left : []), ...part.events, ...right];
    const base = isOwnFirst || window.from === null ? own.base : part.base;
    return withDrops({ base, events: inside }, id, joinedDrops(own.range.drops, drops));
  }
}

/** Whether no event is missing between the own events of a lock and the window. */
function isJoined(
  { range }: Own,
  { from, stateSeq, lastSeq }: Pick<InWindow, 'from' | 'stateSeq' | 'lastSeq'>,
): boolean {
  return from === null || (range.lastSeq >= stateSeq && range.stateSeq <= lastSeq);
}

function isOfSight({ type }: LockEvent): boolean {
  return type === 'blind-spot.began' || type === 'blind-spot.ended';
}
