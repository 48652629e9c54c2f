import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import { RunThinner } from '../../../shared/spans/thin-runs.ts';
import { idOf, isFree, type LockState, lockIdOf } from '../../../shared/state/lock-state.ts';
import { concerns } from '../../../shared/state/replay/lock-filter.ts';
import type { PastWorld } from '../../../shared/state/replay/past-world.ts';
import { addWoken, mayConcern, seqBefore, worldAfter } from '../../../shared/state/replay/replay.ts';
import { unknownAt } from '../history/dropped-locks.ts';
import { RepeatsDropped } from '../history/loop-repeats.ts';
import type { Remembered } from '../history/remembered.ts';
import { inParts, type Sliced } from '../slices/in-slices.ts';
import { bytesOf } from '../terms/bytes-of.ts';
import type { Window, WindowQuery } from '../terms/queries.ts';

/** How much memory the events of one answer may take: names may be long. */
const MOST_BYTES = 16 * 1024 * 1024;

/** The locks at the beginning of a range of time, and the events in it. `now` is the time of the request. */
export function* windowOf(memory: Remembered, query: WindowQuery, now: RedisTime): Sliced<Window> {
  const { blocks, nextSeq, oldestAt = null } = memory;
  const from = redisTime(Math.max(query.from, oldestAt ?? query.from));
  const stateSeq = seqBefore(memory, from);
  const world = yield* worldAfter(memory, stateSeq, from, query);
  const { events, end } = yield* eventsFrom(memory, stateSeq, from, query);
  const last = events.at(-1)?.seq ?? stateSeq;
  yield* addWoken(world, memory, { seq: stateSeq, last, filter: query });
  const locks = yield* shownIn(world, events);
  const to = end ?? (query.to !== undefined && query.to < now ? query.to : redisTime(Math.max(now, from)));
  return {
    from,
    to,
    oldestAt,
    oldestSeq: blocks[0]?.firstSeq ?? nextSeq,
    nextSeq,
    stateSeq,
    locks,
    blind: world.blind.all().filter(({ source }) => query.source === undefined || query.source === source),
    forgotten: [
      ...unknownAt(memory.dropped, { seq: stateSeq, at: from, filter: query }),
      ...memory.forgotten
        .filter(({ afterSeq, at }) => afterSeq > stateSeq || (afterSeq === stateSeq && at > from))
        .filter(({ at }) => at <= to),
    ].map(({ ids, isClosed: _, ...mark }) => (ids ? { ...mark, ids: [...ids] } : mark)),
    events,
    isCut: end !== undefined,
  };
}

/** The locks that are held or waited for, and those that have an event. */
function* shownIn(world: PastWorld, events: readonly LockEvent[]): Sliced<LockState[]> {
  const touched = new Set<string>();
  for (const part of inParts(events)) {
    for (const event of part) touched.add(lockIdOf(event));
    yield;
  }
  const shown: LockState[] = [];
  for (const part of inParts(world.locks())) {
    for (const lock of part) if (!isFree(lock) || touched.has(idOf(lock))) shown.push(lock);
    yield;
  }
  return shown;
}

/** The events after `stateSeq`. `end`: a limit was reached, and the next event is later than this instant. */
function* eventsFrom(
  { blocks, nextSeq }: Remembered,
  stateSeq: number,
  from: RedisTime,
  query: WindowQuery,
): Sliced<{ events: LockEvent[]; end: RedisTime | undefined }> {
  const { to = Number.POSITIVE_INFINITY, limit } = query;
  const found = new RepeatsDropped(bytesOf);
  let newest: number = from;
  for (const block of blocks) {
    if (block.lastSeq <= stateSeq || block.oldestAt > to || !mayConcern(block, query)) continue;
    for (const [place, event] of block.events().entries()) {
      if (event.seq <= stateSeq || event.at > to || !concerns(event, query)) continue;
      if (event.seq >= nextSeq) break;
      // Events of the same instant stay together, so that the next request continues after them.
      if (event.at > newest && (found.count >= limit || found.bytes > MOST_BYTES)) {
        return { events: yield* thinned(found.events()), end: redisTime(event.at - 1) };
      }
      found.take(event, block.isRepeat(place));
      newest = Math.max(newest, event.at);
    }
    yield;
  }
  return { events: yield* thinned(found.events()), end: undefined };
}

/** The events without those in the middle of dense runs. */
function* thinned(events: readonly LockEvent[]): Sliced<LockEvent[]> {
  const thinner = new RunThinner();
  const list: LockEvent[] = [];
  for (const part of inParts(events)) {
    for (const event of part) thinner.take(list, event);
    yield;
  }
  return list;
}
