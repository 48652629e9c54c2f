import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import type { LockState } from '../../../shared/state/lock-state.ts';
import type { WindowBody } from '../../../shared/wire/window.ts';
import type { BlindEdge } from './blind-edge.ts';
import { type Drop, dropsFrom, joinedDrops } from './drops.ts';

/**
 * A stretch of history: how everything stood at its left edge, and all that happened after.
 *
 *   from                               to
 *    | locks, after `stateSeq`   ··· events ···   lastSeq |
 */
export type Stretch = {
  readonly from: RedisTime;
  /** Null: up to now. */
  readonly to: RedisTime | null;
  readonly stateSeq: number;
  /** Up to this `seq` no event is missing that is dated up to `to`. */
  readonly lastSeq: number;
  readonly locks: readonly LockState[];
  readonly blind: readonly BlindEdge[];
  /** Where locks were dropped from the server's memory, in order. */
  readonly drops: readonly Drop[];
  readonly events: readonly LockEvent[];
};

export const EMPTY_STRETCH: Stretch = {
  from: redisTime(0),
  to: null,
  stateSeq: 0,
  lastSeq: 0,
  locks: [],
  blind: [],
  drops: [],
  events: [],
};

/** The stretch in an answer of the server; `isOpen`: it was asked for up to now. */
export function stretchFrom(body: WindowBody, isOpen: boolean): Stretch {
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
 * Two stretches as one, where the left one reaches at least to the beginning of the right one. An event dated before its
 * neighbours may be in both: everything after the right one's `stateSeq` is taken from there.
 */
export function joined(left: Stretch, right: Stretch): Stretch {
  const before = left.events.filter(({ seq }) => seq <= right.stateSeq);
  const { from, stateSeq, locks, blind } = left;
  const { to, lastSeq } = right;
  const drops = joinedDrops(left.drops, right.drops);
  return { from, stateSeq, locks, blind, drops, to, lastSeq, events: [...before, ...right.events] };
}
