import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { Source } from '../../../shared/wire/source.ts';
import { isWatched, leadMs } from '../../../shared/wire/watched.ts';
import { openRecordingOf } from './open-recording.ts';

/**
 * One reading of Redis's clock: `at` is the time of Redis (µs). `sentAt` and `heardAt` are when the request was sent
 * and answered, in this machine's time (ms).
 */
type ClockReading = { readonly sentAt: number; readonly heardAt: number; readonly at: number };

/** Older readings are dropped, because clocks drift. Of the rest, the last 8 are kept. */
const READING_LIFE_MS = 120_000;

/**
 * Redis's clock as known to this page. Leases count down by it, never by the browser's clock.
 *
 *   sentAt ───────────▶ server reads at ───────────▶ heardAt
 *            at is in the middle, ± half the round trip: the shortest round trip is the most exact
 *
 * The clock stops while the page is disconnected or the source is not watched. Otherwise a countdown would go on
 * although a renewal could not be seen.
 */
export class RedisClock {
  #readings: ClockReading[] = [];
  #offsetMs: number | null = null;
  #stoppedAt: number | null = null;
  #sourceOffsets = new Map<string, number>();
  #stoppedSources = new Map<string, number>();
  /** Since when each unwatched source is not watched, in Redis time. A page that was opened later did not see that. */
  #unwatchedSince = new Map<string, RedisTime>();
  /** The ends of sources that are opened recordings. Their clocks are always at the end. */
  #ends = new Map<string, RedisTime>();
  #firstEnd: RedisTime | null = null;

  addReading(reading: ClockReading): void {
    const fresh = this.#readings.filter((old) => reading.heardAt - old.heardAt < READING_LIFE_MS);
    this.#readings = [...fresh, reading].slice(-8);
    const best = this.#readings.reduce((a, b) => (b.heardAt - b.sentAt < a.heardAt - a.sentAt ? b : a));
    this.#offsetMs = best.at / 1000 - (best.sentAt + best.heardAt) / 2;
  }

  /** Moves the clock forward to `at` if it is behind: a message with this time has already arrived. */
  noteAtLeast(at: number, heardAt: number): void {
    const floor = at / 1000 - heardAt;
    if (this.#offsetMs === null || this.#offsetMs < floor) this.#offsetMs = floor;
  }

  /** Takes the clock offset of each source. Stops the clock of a source that is not watched or does not answer. */
  noteSources(sources: readonly Source[], localNow: number): void {
    const first = sources[0];
    this.#ends = new Map();
    this.#unwatchedSince = new Map();
    for (const source of sources) {
      const end = openRecordingOf([source])?.endsAt;
      if (end !== undefined) this.#ends.set(source.id, redisTime(end));
      this.#sourceOffsets.set(source.id, leadMs(source) - (first ? leadMs(first) : 0));
      if (source.unwatchedSince !== undefined) this.#unwatchedSince.set(source.id, redisTime(source.unwatchedSince));
      if (isWatched(source)) this.#stoppedSources.delete(source.id);
      else if (!this.#stoppedSources.has(source.id)) this.#stoppedSources.set(source.id, localNow);
    }
    this.#firstEnd = (first && this.#ends.get(first.id)) ?? null;
  }

  stop(localNow: number): void {
    this.#stoppedAt ??= localNow;
  }

  go(): void {
    this.#stoppedAt = null;
  }

  /** True while the clock of this source is stopped. Without a source: while the page is disconnected. */
  isStopped(sourceId?: string): boolean {
    return this.#stoppedAt !== null || (sourceId !== undefined && this.#stoppedSources.has(sourceId));
  }

  /**
   * Returns the Redis time at this machine's instant `localNow` (ms); null before the first reading or message. Without
   * `sourceId`, it is that of the first source. For a source that is not watched, returns since when it is not. For an
   * opened recording, returns its end.
   */
  at(localNow: number, sourceId?: string): RedisTime | null {
    const end = sourceId === undefined ? this.#firstEnd : this.#ends.get(sourceId);
    if (end) return end;
    const since = sourceId === undefined ? undefined : this.#unwatchedSince.get(sourceId);
    if (since !== undefined) return since;
    if (this.#offsetMs === null) return null;
    const sourceStop = sourceId === undefined ? undefined : this.#stoppedSources.get(sourceId);
    const local = Math.min(localNow, this.#stoppedAt ?? localNow, sourceStop ?? localNow);
    const sourceOffset = sourceId === undefined ? 0 : (this.#sourceOffsets.get(sourceId) ?? 0);
    return redisTime((local + this.#offsetMs + sourceOffset) * 1000);
  }
}
