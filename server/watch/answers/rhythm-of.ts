import { plusMillis, type RedisTime } from '../../../shared/base/time.ts';
import type { EventType } from '../../../shared/events/event.ts';
import { type RenewalRhythm, RHYTHM_EVENTS, RhythmReader } from '../../../shared/spans/renewal-rhythm.ts';
import { lookBack } from '../history/look-back.ts';
import type { Remembered } from '../history/remembered.ts';
import type { Sliced } from '../slices/in-slices.ts';

/** How far back the rhythm of a client is read. */
const LOOK_BACK_MS = 10 * 60_000;

/**
 * How a client renewed. `from`: ten minutes before `to`, or later if older events are dropped, missing or too many to
 * read.
 */
export type RhythmOfClient = RenewalRhythm & { readonly from: RedisTime };

/** Reads how one client of a source renewed its leases in the ten minutes before an instant. */
export function* rhythmOf(
  memory: Remembered,
  { source, client, to }: { source: string; client: string; to: RedisTime },
): Sliced<RhythmOfClient> {
  const { newest, from } = lookBack(memory, to, plusMillis(to, -LOOK_BACK_MS));
  const reader = new RhythmReader(client);
  for (const block of newest) {
    if (!RHYTHM_EVENTS.some((type) => block.hasType(type))) continue;
    for (const event of block.events()) {
      if (event.seq >= memory.nextSeq) break;
      if (event.source === source && event.at >= from && event.at <= to && TYPES.has(event.type)) reader.take(event);
    }
    yield;
  }
  return { from, ...reader.rhythm() };
}

const TYPES: ReadonlySet<EventType> = new Set(RHYTHM_EVENTS);
