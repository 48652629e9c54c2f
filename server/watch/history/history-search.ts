import { isOfSource, type LockEvent } from '../../../shared/events/event.ts';
import { TOPIC_OF, typesOf } from '../../../shared/events/topics.ts';
import { thinRuns } from '../../../shared/spans/thin-runs.ts';
import { isAt } from '../../../shared/state/replay/lock-filter.ts';
import { whoseEvent } from '../../../shared/wire/locks/name-parts.ts';
import type { Sliced } from '../slices/in-slices.ts';
import { bytesOf } from '../terms/bytes-of.ts';
import type { EventQuery } from '../terms/queries.ts';
import type { EventBlock } from './event-block.ts';
import { RepeatsDropped, RunEnds } from './loop-repeats.ts';

/** What was found, oldest first. `isCut`: a limit was reached, so there may be more. */
export type Found = { readonly events: LockEvent[]; readonly isCut: boolean };

/** How much memory one answer may take: names may be long. */
const MOST_BYTES = 8 * 1024 * 1024;

/** Looks for events in blocks. Events from `nextSeq` on are ignored: they were added after the search began. */
export function* searchBlocks(blocks: readonly EventBlock[], nextSeq: number, query: EventQuery): Sliced<Found> {
  const found =
    query.after === undefined ? yield* newest(blocks, nextSeq, query) : yield* oldest(blocks, nextSeq, query);
  return query.dense ? { ...found, events: thinRuns(found.events) } : found;
}

function* newest(blocks: readonly EventBlock[], nextSeq: number, query: EventQuery): Sliced<Found> {
  const { before = nextSeq, limit, dense = false } = query;
  const found: LockEvent[] = [];
  const ends = new RunEnds();
  let left = limit;
  let bytes = 0;
  for (const block of blocks.toReversed()) {
    if (left <= 0 || bytes > MOST_BYTES) break;
    if (block.firstSeq >= before || !mayHave(block, query)) continue;
    const events = block.events();
    for (let place = Math.min(block.count, nextSeq - block.firstSeq) - 1; place >= 0 && left > 0; place--) {
      const event = events[place];
      if (!event || event.seq >= before || !matches(event, query)) continue;
      const isRepeat = block.isRepeat(place);
      if (dense && !ends.isEnd(event, isRepeat)) continue;
      found.push(event);
      bytes += bytesOf(event);
      // If a dense run is returned as its first and last attempt, only the first one is counted.
      if (!dense || !isRepeat) left--;
      if (bytes > MOST_BYTES) break;
    }
    yield;
  }
  return { events: found.reverse(), isCut: left <= 0 || bytes > MOST_BYTES };
}

function* oldest(blocks: readonly EventBlock[], nextSeq: number, query: EventQuery): Sliced<Found> {
  const { after = 0, limit, dense = false } = query;
  const found = new RepeatsDropped(bytesOf);
  const isFull = () => found.count >= limit || found.bytes > MOST_BYTES;
  for (const block of blocks) {
    if (isFull()) break;
    if (block.lastSeq <= after || !mayHave(block, query)) continue;
    for (const [place, event] of block.events().entries()) {
      if (isFull() || event.seq >= nextSeq) break;
      if (event.seq > after && matches(event, query)) found.take(event, dense && block.isRepeat(place));
    }
    yield;
  }
  return { events: found.events(), isCut: isFull() };
}

/** False if the block certainly has no matching event. */
function mayHave(
  block: EventBlock,
  { lock, type, topic, from = 0, to = Number.POSITIVE_INFINITY }: EventQuery,
): boolean {
  if (block.newestAt < from || block.oldestAt > to) return false;
  if (topic !== undefined && !typesOf(topic).some((type) => block.hasType(type))) return false;
  return (type === undefined || block.hasType(type)) && (lock === undefined || block.mayHaveLock(lock));
}

function matches(event: LockEvent, query: EventQuery): boolean {
  if (!isAt(event, query)) return false;
  if (query.type !== undefined && event.type !== query.type) return false;
  if (query.topic !== undefined && TOPIC_OF[event.type] !== query.topic) return false;
  if (query.group !== undefined && event.group !== query.group) return false;
  if ((query.from !== undefined && event.at < query.from) || (query.to !== undefined && event.at > query.to))
    return false;
  if (query.isLock && (isOfSource(event) || !query.isLock(event.lock))) return false;
  if (query.isHolder && !query.isHolder(whoseEvent(event) ?? '')) return false;
  return query.holder === undefined || ('holder' in event && event.holder === query.holder);
}
