import type { RedisTime } from '../../../shared/base/time.ts';
import type { LockPart } from '../../../shared/state/replay/lock-replay.ts';
import type { EventWindow } from '../../data/window/event-window.ts';
import type { WindowReader } from '../../data/window/window-locks.ts';
import type { Track } from './marks.ts';
import { trackFromEvents } from './track-from-events.ts';

/** A track with more events than this is derived again at most every `SLOW_EVERY_MS`. */
const LONG_TRACK = 2000;
const SLOW_EVERY_MS = 250;
/** As `SLOW_EVERY_MS`, while paused: new events are mostly out of view. */
const PAUSED_EVERY_MS = 4000;
/** In this time, at most one long track is derived again: several at once would delay a frame. */
const TURN_MS = 50;

type Kept = {
  track: Track | null;
  isStale: boolean;
  derivedAt: number;
  /** The time of the newest event in its track. */
  derivedTo: number;
  /** The track was derived before the window began again or earlier events were read, so it may lack events. */
  isBehind: boolean;
};

/** The marks of each lock, derived when they are shown. */
export class LockTracks implements WindowReader {
  readonly #window: Pick<EventWindow, 'brokenPartOf'>;
  #kept = new Map<string, Kept>();
  /** Increases when the window begins again, when earlier events are read, and when a track is derived after that. */
  changes = 0;
  /** True after a track with `isBehind` was returned, because another long track was derived just before. */
  lags = false;
  /** True while the timeline does not follow live events. */
  isPaused = false;
  /** Right end of a moving view: new events beyond it wait until the view stops. */
  movingTo: RedisTime | null = null;
  #longDerivedAt = 0;

  constructor(window: EventWindow) {
    this.#window = window;
    window.addReader(this);
  }

  /** Forgets every track, because a different range is shown next. */
  clear(): void {
    this.#kept = new Map();
  }

  /** These locks have other events now. Their old tracks are shown until they are derived again. */
  beginAgain(ids: Iterable<string>): void {
    const before = this.#kept;
    this.#kept = new Map();
    this.changes++;
    for (const id of ids) {
      const track = before.get(id)?.track ?? null;
      this.#kept.set(id, { track, isStale: true, derivedAt: 0, derivedTo: 0, isBehind: track !== null });
    }
  }

  /** Earlier events of a lock were read. Its old track is shown until a new one is derived. */
  hasMore(id: string): void {
    const track = this.#kept.get(id)?.track ?? null;
    this.#kept.set(id, { track, isStale: true, derivedAt: 0, derivedTo: 0, isBehind: track !== null });
    this.changes++;
  }

  /** A lock has a new event. */
  hasNews(id: string): void {
    const kept = this.#kept.get(id);
    if (kept) kept.isStale = true;
    else this.#kept.set(id, { track: null, isStale: true, derivedAt: 0, derivedTo: 0, isBehind: false });
  }

  /** One lock's marks; the same object until its events change. A long track may lack the newest events for a while. */
  get(id: string, localNow: number): Track | null {
    const part = this.#window.brokenPartOf(id);
    const kept = this.#kept.get(id);
    if (!part || !kept) return null;
    if (kept.track !== null && (!kept.isStale || this.#mayWait(kept, part, localNow))) return kept.track;
    return this.#derive(id, kept, part, localNow);
  }

  /** One lock's marks with all its events, never an old track. */
  newest(id: string, localNow: number): Track | null {
    const part = this.#window.brokenPartOf(id);
    const kept = this.#kept.get(id);
    if (!part || !kept) return null;
    return kept.track !== null && !kept.isStale ? kept.track : this.#derive(id, kept, part, localNow);
  }

  /** One lock's marks as last derived; for facts that seldom change. */
  last(id: string, localNow: number): Track | null {
    return this.#kept.get(id)?.track ?? this.get(id, localNow);
  }

  #mayWait({ derivedAt, derivedTo, isBehind }: Kept, { events }: LockPart, localNow: number): boolean {
    if (events.length <= LONG_TRACK) return false;
    if (localNow - this.#longDerivedAt < TURN_MS) {
      this.lags ||= isBehind;
      return true;
    }
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
