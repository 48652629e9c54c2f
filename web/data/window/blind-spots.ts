import type { RedisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import type { FailoverHow } from '../../../shared/events/types/watch-event.ts';
import type { BlindSpot as OpenBlindSpot } from '../../../shared/state/blind-spots.ts';

/** A range in which a source was not watched. */
export type BlindSpot = {
  readonly source: string;
  readonly from: RedisTime;
  readonly to: RedisTime | null;
  readonly reason: string;
  /** Set if another server was watched after it: `to` is that server. */
  readonly failover?: { readonly how: FailoverHow; readonly to: string };
};

/** Pairs the begin and end events of each source, and returns the blind spots in order. */
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

/**
 * The blind spots that are shown. An open one is left out if its source has ended: that server was stopped on purpose.
 */
export function shownBlindSpots(
  spots: readonly BlindSpot[],
  sources: readonly { readonly id: string; readonly ended?: boolean | undefined }[],
): readonly BlindSpot[] {
  const watched = new Set(sources.filter(({ ended }) => ended !== true).map(({ id }) => id));
  return spots.filter(({ to, source }) => to !== null || watched.has(source));
}
