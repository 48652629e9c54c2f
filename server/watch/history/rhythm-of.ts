import { plusMillis, type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { EventType } from '../../../shared/events/event.ts';
import { type RenewalRhythm, RHYTHM_EVENTS, RhythmReader } from '../../../shared/spans/renewal-rhythm.ts';
import type { Sliced } from '../slices/in-slices.ts';
import type { Remembered } from './remembered.ts';

/** How far back the rhythm of a client is read. */
const LOOK_BACK_MS = 10 * 60_000;
/** The most events read: the newest. With more, the stretch is shorter. */
const MOST_EVENTS = 200_000;

/** How a client renewed, from an instant on; later than ten minutes before `to` if memory begins later, or is crowded. */
export type RhythmOfClient = RenewalRhythm & { readonly from: RedisTime };

/** Reads how one client of a source renewed its leases in the ten minutes before an instant. */
export function* rhythmOf(
  { blocks, nextSeq, oldestAt }: Remembered,
  { source, client, to }: { source: string; client: string; to: RedisTime },
): Sliced<RhythmOfClient> {
  const wanted = plusMillis(to, -LOOK_BACK_MS);
  let first = blocks.length;
  let count = 0;
  while (first > 0 && count < MOST_EVENTS && (blocks[first - 1]?.newestAt ?? 0) >= wanted) {
    first--;
    count += blocks[first]?.count ?? 0;
  }
  const begin = first === 0 ? (oldestAt ?? to) : (blocks[first]?.oldestAt ?? to);
  const from = redisTime(Math.min(to, Math.max(wanted, begin)));
  const reader = new RhythmReader(client);
  for (const block of blocks.slice(first)) {
    if (!RHYTHM_EVENTS.some((type) => block.hasType(type))) continue;
    for (const event of block.events()) {
      if (event.seq >= nextSeq) break;
      if (event.source === source && event.at >= from && event.at <= to && TYPES.has(event.type)) reader.take(event);
    }
    yield;
  }
  return { from, ...reader.rhythm() };
}

const TYPES: ReadonlySet<EventType> = new Set(RHYTHM_EVENTS);
