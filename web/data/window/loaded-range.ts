import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import type { BlindSpot } from '../../../shared/state/blind-spots.ts';
import type { LockState } from '../../../shared/state/lock-state.ts';
import type { WindowBody } from '../../../shared/wire/window.ts';
import { type Drop, dropsFrom, joinedDrops } from './drops.ts';

/**
 * A range of history: the state of all locks at its left edge, and every event after that.
 *
 *   from                               to
 *    | locks, after `stateSeq`   ··· events ···   lastSeq |
 */
export type LoadedRange = {
  readonly from: RedisTime;
  /** Null: up to now. */
  readonly to: RedisTime | null;
  readonly stateSeq: number;
  /** No event up to this `seq` and dated up to `to` is missing. */
  readonly lastSeq: number;
  readonly locks: readonly LockState[];
  readonly blind: readonly BlindSpot[];
  /** When locks were dropped from the server's memory, in order. */
  readonly drops: readonly Drop[];
  readonly events: readonly LockEvent[];
};

export const EMPTY_RANGE: LoadedRange = {
  from: redisTime(0),
  to: null,
  stateSeq: 0,
  lastSeq: 0,
  locks: [],
  blind: [],
  drops: [],
  events: [],
};

/** The range in a response of the server; `isOpen`: the request was for everything up to now. */
export function rangeFrom(body: WindowBody, isOpen: boolean): LoadedRange {
  const isToNow = isOpen && !body.isCut;
  return {
    from: redisTime(body.from),
    to: isToNow ? null : redisTime(body.to),
    stateSeq: body.stateSeq,
    lastSeq: isToNow ? body.nextSeq - 1 : (body.events.at(-1)?.seq ?? body.stateSeq),
    locks: body.locks,
    blind: body.blind.map(({ source, since, reason }) => ({ source, since: redisTime(since), reason })),
    drops: dropsFrom(body),
    events: body.events,
  };
}

/**
 * Joins two ranges. The left range must reach at least to the beginning of the right range. An event dated before its
 * neighbours may be in both ranges: every event after the `stateSeq` of the right range is taken from the right range.
 */
export function joined(left: LoadedRange, right: LoadedRange): LoadedRange {
  const before = left.events.filter(({ seq }) => seq <= right.stateSeq);
  const { from, stateSeq, locks, blind } = left;
  const { to, lastSeq } = right;
  const drops = joinedDrops(left.drops, right.drops);
  return { from, stateSeq, locks, blind, drops, to, lastSeq, events: [...before, ...right.events] };
}
