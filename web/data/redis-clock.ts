import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import type { Source } from '../../shared/wire/source.ts';
import { openRecordingOf } from './open-recording.ts';
import { isWatched } from './sight.ts';

/** One reading of Redis's clock: asked at `sentAt`, answered at `heardAt` (this machine, ms), it said `at`. */
export type ClockReading = { readonly sentAt: number; readonly heardAt: number; readonly at: number };

/** Readings older than this no longer count: clocks drift. */
const READING_LIFE_MS = 120_000;

/**
 * Redis's clock as this page knows it. Leases count down by it, never by the browser's own clock.
 *
 *   sentAt ───────────▶ server says at ───────────▶ heardAt
 *            at lies in the middle, ± half the round trip: the shortest round trip knows best
 *
 * While the page hears nothing, or a source is not watched, the clock stands still: a countdown nobody could
 * see being refilled would be a bluff.
 */
export class RedisClock {
  #readings: ClockReading[] = [];
  #offsetMs: number | null = null;
  #stoppedAt: number | null = null;
  #sourceOffsets = new Map<string, number>();
  #stoppedSources = new Map<string, number>();
  /** Sources that are opened recordings: for them it is always their end. */
  #ends = new Map<string, RedisTime>();
  #firstEnd: RedisTime | null = null;

  /** Takes one reading in. */
  addReading(reading: ClockReading): void {
    const fresh = this.#readings.filter((old) => reading.heardAt - old.heardAt < READING_LIFE_MS);
    this.#readings = [...fresh, reading].slice(-8);
    const best = this.#readings.reduce((a, b) => (b.heardAt - b.sentAt < a.heardAt - a.sentAt ? b : a));
    this.#offsetMs = best.at / 1000 - (best.sentAt + best.heardAt) / 2;
  }

  /** A message that says `at` proves that Redis's clock is at least there. */
  noteAtLeast(at: number, heardAt: number): void {
    const floor = at / 1000 - heardAt;
    if (this.#offsetMs === null || this.#offsetMs < floor) this.#offsetMs = floor;
  }

  /** Sources differ by their own offsets. The clock of one that is not watched, or does not answer, stands still. */
  noteSources(sources: readonly Source[], localNow: number): void {
    const first = sources[0];
    this.#ends = new Map();
    for (const source of sources) {
      const end = openRecordingOf([source])?.endsAt;
      if (end !== undefined) this.#ends.set(source.id, redisTime(end));
      this.#sourceOffsets.set(source.id, source.clockOffsetMs - (first?.clockOffsetMs ?? 0));
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

  /** True while `now` stands still for this source. */
  isStopped(sourceId?: string): boolean {
    return this.#stoppedAt !== null || (sourceId !== undefined && this.#stoppedSources.has(sourceId));
  }

  /**
   * Redis time at this machine's instant `localNow` (ms); null before the first reading. In an opened recording it is
   * always its end: nothing happens there any more.
   */
  at(localNow: number, sourceId?: string): RedisTime | null {
    const end = sourceId === undefined ? this.#firstEnd : this.#ends.get(sourceId);
    if (end) return end;
    if (this.#offsetMs === null) return null;
    const sourceStop = sourceId === undefined ? undefined : this.#stoppedSources.get(sourceId);
    const local = Math.min(localNow, this.#stoppedAt ?? localNow, sourceStop ?? localNow);
    const sourceOffset = sourceId === undefined ? 0 : (this.#sourceOffsets.get(sourceId) ?? 0);
    return redisTime((local + this.#offsetMs + sourceOffset) * 1000);
  }
}
