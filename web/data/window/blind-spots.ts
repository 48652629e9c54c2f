import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import type { FailoverHow } from '../../../shared/events/types/watch-event.ts';
import type { BlindSpot as OpenBlindSpot } from '../../../shared/state/blind-spots.ts';
import type { Source } from '../../../shared/wire/source.ts';
import { isSilence } from '../../../shared/wire/watched.ts';

/** A range in which a source was not watched; `to` null: it has not ended, or its end is not loaded. */
export type BlindRange = { readonly source: string; readonly from: RedisTime; readonly to: RedisTime | null };

/** A `BlindRange` with what the page shows about it. */
export type BlindSpot = BlindRange & {
  readonly reason: string;
  /**
   * The observer of the source is silent. The clock of the source is stopped, but time goes on, so the blind spot is
   * drawn to the end of any view.
   */
  readonly isSilent?: true;
  /** Set if another server was watched after the blind spot: `to` is its `host:port`. */
  readonly failover?: { readonly how: FailoverHow; readonly to: string };
};

/**
 * Pairs the begin and end events of each source, and returns the blind spots in the order of these events. An end
 * without a beginning is a blind spot as well, because the event names its beginning.
 */
export function blindSpotsFrom(events: readonly LockEvent[]): BlindSpot[] {
  const spots: { -readonly [Key in keyof BlindSpot]: BlindSpot[Key] }[] = [];
  const open = new Map<string, (typeof spots)[number]>();
  for (const event of events) {
    if (event.type === 'blind-spot.began') {
      if (open.has(event.source)) continue;
      const spot = { source: event.source, from: event.at, to: null, reason: event.reason };
      open.set(event.source, spot);
      spots.push(spot);
    } else if (event.type === 'failover') {
      const spot = open.get(event.source);
      if (spot) spot.failover = { how: event.how, to: event.to };
    } else if (event.type === 'blind-spot.ended') {
      const spot = open.get(event.source);
      if (spot) spot.to = event.at;
      else spots.push({ source: event.source, from: event.from, to: event.at, reason: event.reason });
      open.delete(event.source);
    }
  }
  return spots;
}

/** The beginning of a blind spot that extends into a range, as an event before all others (`seq` 0). */
export function beganBlind({ source, since, reason }: OpenBlindSpot): LockEvent {
  return {
    type: 'blind-spot.began',
    seq: 0,
    at: since,
    source,
    db: 0,
    lock: '',
    kind: 'lock',
    certainty: 'observed',
    reason,
  };
}

/** Whether a source is not watched at an instant. */
export function isBlindAt(spots: readonly BlindSpot[], source: string, at: number): boolean {
  return spots.some((spot) => spot.source === source && spot.from <= at && (spot.to === null || at < spot.to));
}

type SourceOfSpots = Pick<Source, 'id'> & Partial<Pick<Source, 'ended' | 'problem' | 'unwatchedSince'>>;

/**
 * The blind spots that are shown: from loaded events, from an outline, and from silent observers, which no event
 * reports. An open blind spot is left out if its source has ended (its server was stopped on purpose) or is not in
 * `sources`.
 */
export function shownBlindSpots(
  spots: readonly BlindSpot[],
  sources: readonly SourceOfSpots[],
  outlined: readonly BlindRange[] = [],
): readonly BlindSpot[] {
  const watched = new Set(sources.filter(({ ended }) => ended !== true).map(({ id }) => id));
  const silent = new Map<string, RedisTime>();
  for (const { id, problem, unwatchedSince } of sources) {
    if (isSilence(problem?.code) && unwatchedSince !== undefined) silent.set(id, redisTime(unwatchedSince));
  }
  const others = [...outlined, ...[...silent].map(([source, from]) => ({ source, from, to: null }))];
  const all = [...spots];
  for (const other of others) {
    const place = all.findIndex((known) => isSameSpot(known, other));
    const known = all[place];
    if (!known) all.push({ ...other, reason: 'unknown' });
    // the end of the known blind spot was not loaded
    else if (known.to === null && other.to !== null) all[place] = { ...known, to: other.to };
  }
  return all
    .filter(({ to, source }) => to !== null || watched.has(source))
    .map((spot) => (spot.to === null && silent.has(spot.source) ? { ...spot, isSilent: true } : spot));
}

/** Whether two ranges of a source overlap: then they are the same blind spot. */
function isSameSpot(a: BlindRange, b: BlindRange): boolean {
  return a.source === b.source && (a.to === null || b.from < a.to) && (b.to === null || a.from < b.to);
}

/** Where a blind spot ends in a view that ends at `viewTo`. */
export function endOfSpot({ to, isSilent }: BlindSpot, now: RedisTime, viewTo: RedisTime): RedisTime {
  return to ?? (isSilent && viewTo > now ? viewTo : now);
}
