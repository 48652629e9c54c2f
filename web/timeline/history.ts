import type { RedisTime } from '../../shared/base/time.ts';
import { isOfClient, isOfSource, type LockEvent } from '../../shared/events/event.ts';
import { regroupIn } from '../../shared/events/groups/regrouped.ts';
import { RunThinner } from '../../shared/spans/thin-runs.ts';
import { lockIdOf } from '../../shared/state/lock-state.ts';
import type { BlindSpot, Track } from './marks.ts';
import { trackFromEvents } from './track-from-events.ts';

/** Events kept for the timeline; beyond it the oldest go. */
export const HISTORY_CAP = 50_000;
/** Tracks longer than this are derived at most every `SLOW_EVERY_MS`. */
const LONG_TRACK = 2000;
const SLOW_EVERY_MS = 250;
/** The same while paused: what is new lies mostly out of sight. */
const PAUSED_EVERY_MS = 4000;
/** Long tracks take turns: several at once would hold up a frame. */
const TURN_MS = 50;

type LockEvents = {
  events: LockEvent[];
  thinner: RunThinner;
  track: Track | null;
  isStale: boolean;
  derivedAt: number;
  /** The newest event its track knows. */
  derivedTo: number;
  /** Its track knows nothing of an older page yet. */
  isBehind: boolean;
};

/** What `add` found: a hole before the events it was given, to be read from the server first. */
export type Hole = { readonly after: number; readonly before: number };

/**
 * The timeline's own window of history: pages read from the server, then what comes live, in order of `seq`.
 * Tracks are derived when somebody looks at them. What lies in the midst of a dense run is left out: a hot loop is the
 * same mark without it, and leaves room for everything else.
 */
export class TimelineHistory {
  #events: LockEvent[] = [];
  #thinner = new RunThinner();
  #locks = new Map<string, LockEvents>();
  #blindSpots: BlindSpot[] | null = null;
  /** Rises with every change. */
  version = 0;
  /** Rises when it begins anew, as with an older page. */
  beginnings = 0;
  /** Rises with each beginning, and when a track has caught up with it. */
  laneChanges = 0;
  /** Nobody follows what comes. */
  isPaused = false;
  /** Right end of a view that moves: what is new beyond it waits until the view rests. */
  movingTo: RedisTime | null = null;
  #longDerivedAt = 0;
  /** True when older events were dropped to make room. */
  isCapped = false;

  get events(): readonly LockEvent[] {
    return this.#events;
  }

  get firstSeq(): number {
    return this.#events[0]?.seq ?? 0;
  }

  get lastSeq(): number {
    return this.#events.at(-1)?.seq ?? 0;
  }

  /** Every lock an event is about, in order of first appearance. */
  lockIds(): IterableIterator<string> {
    return this.#locks.keys();
  }

  eventsOf(id: string): readonly LockEvent[] {
    return this.#locks.get(id)?.events ?? [];
  }

  /**
   * Takes what is newer than all it has. Gives back a hole instead where some are missing before them: none are from
   * `wholeFrom` on, but what lies in the midst of dense runs.
   */
  append(events: readonly LockEvent[], wholeFrom: number): Hole | null {
    const first = firstAfter(events, this.lastSeq);
    const next = events[first];
    if (!next) return null;
    if (this.#events.length > 0 && wholeFrom > this.lastSeq + 1) return { after: this.lastSeq, before: wholeFrom };
    for (let i = first; i < events.length; i++) this.#take(events[i] as LockEvent); // i is below the length
    this.#changed();
    if (this.#events.length > HISTORY_CAP * 1.1) this.#forgetOldest();
    return null;
  }

  /** Takes an older page, as far as there is room. */
  prepend(page: readonly LockEvent[]): void {
    const older = page.filter((event) => event.seq < this.firstSeq);
    const room = Math.max(0, HISTORY_CAP - this.#events.length);
    const kept = older.slice(Math.max(0, older.length - room));
    if (kept.length === 0 || room === 0) return;
    this.#replaceKeepingTracks([...kept, ...this.#events]);
  }

  /** Begins anew: after another run of the server, or when a page changes everything. */
  replace(events: readonly LockEvent[]): void {
    this.#events = [];
    this.#thinner = new RunThinner();
    this.#locks = new Map();
    this.beginnings++;
    this.laneChanges++;
    for (const event of events) this.#take(event);
    this.#changed();
  }

  /** One lock's marks; the same object as long as nothing new came. */
  track(id: string, localNow: number): Track | null {
    const lock = this.#locks.get(id);
    if (!lock) return null;
    if (lock.track !== null && (!lock.isStale || this.#mayWait(lock, localNow))) return lock.track;
    return this.#derive(id, lock, localNow);
  }

  /** One lock's marks with everything that is known. */
  newestTrack(id: string, localNow: number): Track | null {
    const lock = this.#locks.get(id);
    if (!lock) return null;
    return lock.track !== null && !lock.isStale ? lock.track : this.#derive(id, lock, localNow);
  }

  /** One lock's marks as they were last derived: what changes seldom need not wait for the newest. */
  lastTrack(id: string, localNow: number): Track | null {
    return this.#locks.get(id)?.track ?? this.track(id, localNow);
  }

  /** Stretches nobody watched, in order. */
  blindSpots(): readonly BlindSpot[] {
    this.#blindSpots ??= blindSpotsFrom(this.#events);
    return this.#blindSpots;
  }

  #mayWait({ events, derivedAt, derivedTo, isBehind }: LockEvents, localNow: number): boolean {
    if (events.length <= LONG_TRACK) return false;
    if (localNow - this.#longDerivedAt < TURN_MS) return true;
    if (isBehind) return false;
    if (this.movingTo !== null && derivedTo >= this.movingTo) return true;
    return localNow - derivedAt < (this.isPaused ? PAUSED_EVERY_MS : SLOW_EVERY_MS);
  }

  #derive(id: string, lock: LockEvents, localNow: number): Track {
    const track = trackFromEvents(id, lock.events);
    if (lock.isBehind) this.laneChanges++;
    if (lock.events.length > LONG_TRACK) this.#longDerivedAt = localNow;
    const derivedTo = lock.events.at(-1)?.at ?? 0;
    Object.assign(lock, { track, isStale: false, isBehind: false, derivedAt: localNow, derivedTo });
    return track;
  }

  #take(event: LockEvent): void {
    this.#thinner.take(this.#events, event);
    if (event.groupSeqs) this.#regroup(event);
    if (isOfSource(event)) {
      if (event.type === 'failover') return; // stands within a blind spot, and is drawn with it
      if (isOfClient(event)) return;
      for (const [id, lock] of this.#locks) if (id.startsWith(`${event.source}/`)) this.#takeInto(lock, event);
      return;
    }
    const id = lockIdOf(event);
    const lock = this.#locks.get(id) ?? {
      events: [],
      thinner: new RunThinner(),
      track: null,
      isStale: false,
      derivedAt: 0,
      derivedTo: 0,
      isBehind: false,
    };
    this.#locks.set(id, lock);
    this.#takeInto(lock, event);
  }

  /** Earlier events turned out to be of a group, or of none. */
  #regroup(by: LockEvent): void {
    for (const event of regroupIn(this.#events, by)) {
      const lock = this.#locks.get(lockIdOf(event));
      if (!lock) continue;
      regroupIn(lock.events, by);
      lock.isStale = true;
    }
  }

  #takeInto(lock: LockEvents, event: LockEvent): void {
    lock.thinner.take(lock.events, event);
    lock.isStale = true;
  }

  #changed(): void {
    this.version++;
    this.#blindSpots = null;
  }

  #forgetOldest(): void {
    this.isCapped = true;
    this.#replaceKeepingTracks(this.#events.slice(-HISTORY_CAP));
  }

  /** Tracks stay as they are until their turn to be derived comes. */
  #replaceKeepingTracks(events: readonly LockEvent[]): void {
    const before = this.#locks;
    this.replace(events);
    for (const [id, lock] of this.#locks) {
      lock.track = before.get(id)?.track ?? null;
      lock.isBehind = lock.track !== null;
    }
  }
}

function firstAfter(events: readonly LockEvent[], seq: number): number {
  let index = events.length;
  while (index > 0 && (events[index - 1]?.seq ?? 0) > seq) index--;
  return index;
}

/** Pairs what began with what ended, a source at a time. */
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
