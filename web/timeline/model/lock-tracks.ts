import type { RedisTime } from '../../../shared/base/time.ts';
import type { LockPart } from './lock-part.ts';
import type { Track } from './marks.ts';
import { trackFromEvents } from './track-from-events.ts';

/** Tracks of more events than this are derived at most every `SLOW_EVERY_MS`. */
const LONG_TRACK = 2000;
const SLOW_EVERY_MS = 250;
/** The same while paused: what is new lies mostly out of sight. */
const PAUSED_EVERY_MS = 4000;
/** Long tracks take turns: several at once would hold up a frame. */
const TURN_MS = 50;

type Kept = {
  track: Track | null;
  isStale: boolean;
  derivedAt: number;
  /** The newest event its track knows. */
  derivedTo: number;
  /** Its track knows nothing of an older stretch yet. */
  isBehind: boolean;
};

/** The marks of each lock, derived when somebody looks at them. */
export class LockTracks {
  readonly #partOf: (id: string) => LockPart | undefined;
  #kept = new Map<string, Kept>();
  /** Rises with each beginning, and when a track has caught up with it. */
  changes = 0;
  /** Nobody follows what comes. */
  isPaused = false;
  /** Right end of a view that moves: what is new beyond it waits until the view rests. */
  movingTo: RedisTime | null = null;
  #longDerivedAt = 0;

  constructor(partOf: (id: string) => LockPart | undefined) {
    this.#partOf = partOf;
  }

  /** Forgets every track: what is shown next is elsewhere. */
  clear(): void {
    this.#kept = new Map();
  }

  /** The same locks have other events: their tracks stay until their turn comes. */
  beginAnew(ids: Iterable<string>): void {
    const before = this.#kept;
    this.#kept = new Map();
    this.changes++;
    for (const id of ids) {
      const track = before.get(id)?.track ?? null;
      this.#kept.set(id, { track, isStale: true, derivedAt: 0, derivedTo: 0, isBehind: track !== null });
    }
  }

  /** A lock has a new event. */
  hasNews(id: string): void {
    const kept = this.#kept.get(id);
    if (kept) kept.isStale = true;
    else this.#kept.set(id, { track: null, isStale: true, derivedAt: 0, derivedTo: 0, isBehind: false });
  }

  /** One lock's marks; the same object as long as nothing new came. */
  get(id: string, localNow: number): Track | null {
    const part = this.#partOf(id);
    const kept = this.#kept.get(id);
    if (!part || !kept) return null;
    if (kept.track !== null && (!kept.isStale || this.#mayWait(kept, part, localNow))) return kept.track;
    return this.#derive(id, kept, part, localNow);
  }

  /** One lock's marks with everything that is known. */
  newest(id: string, localNow: number): Track | null {
    const part = this.#partOf(id);
    const kept = this.#kept.get(id);
    if (!part || !kept) return null;
    return kept.track !== null && !kept.isStale ? kept.track : this.#derive(id, kept, part, localNow);
  }

  /** One lock's marks as they were last derived: what changes seldom need not wait for the newest. */
  last(id: string, localNow: number): Track | null {
    return this.#kept.get(id)?.track ?? this.get(id, localNow);
  }

  #mayWait({ derivedAt, derivedTo, isBehind }: Kept, { events }: LockPart, localNow: number): boolean {
    if (events.length <= LONG_TRACK) return false;
    if (localNow - this.#longDerivedAt < TURN_MS) return true;
    if (isBehind) return false;
    if (this.movingTo !== null && derivedTo >= this.movingTo) return true;
    return localNow - derivedAt < (this.isPaused ? PAUSED_EVERY_MS : SLOW_EVERY_MS);
  }

  #derive(id: string, kept: Kept, { base, events }: LockPart, localNow: number): Track {
    const track = trackFromEvents(id, events, base);
    if (kept.isBehind) this.changes++;
    if (events.length > LONG_TRACK) this.#longDerivedAt = localNow;
    const derivedTo = events.at(-1)?.at ?? 0;
    Object.assign(kept, { track, isStale: false, isBehind: false, derivedAt: localNow, derivedTo });
    return track;
  }
}
