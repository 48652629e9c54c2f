import { type Millis, millisBetween, plusMillis, type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import type { EventStore } from './event-store.ts';

/**
 * How often the detectors look, in µs. While looks are short, a verdict becomes an event at most this long, plus
 * `LATE_MS` of `look-timer.ts`, after the moment that proves it.
 */
const EVERY = 250_000;
/** If more locks than this changed since the last look, `LookTimer` does the next look in slices. */
const MOST_AT_ONCE = 2000;
/** During a pause without events, the detectors look at most this many times: every 250 ms for a minute. */
const MOST_IN_PAUSE = 240;
/** The pause after a look (in Redis time) is at least this many times as long as the look took: events do not wait. */
const REST = 3;

/**
 * Decides when the detectors look: at each quarter of a second of Redis time, between the events before and after.
 *
 *   events   0.2   0.4          0.9         1.1
 *   looks       0.25  0.5  0.75       1.0
 *
 * So a recording has the same insights at the same places of the stream as the live stream had, except where looks took
 * more than a third of the time between them.
 */
export class LookClock {
  readonly #store: Pick<EventStore, 'look' | 'changedLocks'>;
  readonly #nowMs: () => Millis;
  #next: RedisTime | undefined;

  /** `nowMs`: the clock that looks are timed with. Absent: they may take as long as they need. */
  constructor(store: Pick<EventStore, 'look' | 'changedLocks'>, nowMs: () => Millis = () => 0) {
    this.#store = store;
    this.#nowMs = nowMs;
  }

  /** Begins again at the next quarter of a second. */
  restart(): void {
    this.#next = undefined;
  }

  /** Splits events where the detectors look, and lets them look between parts. The caller adds each part at once. */
  *parts(events: readonly LockEvent[]): Generator<readonly LockEvent[]> {
    let begin = 0;
    for (const [n, { at, certainty, source }] of events.entries()) {
      if (certainty !== 'observed' || !this.#isDue(at)) continue;
      if (n > begin) yield events.slice(begin, n);
      begin = n;
      this.#lookUntil(at, source);
    }
    if (begin < events.length) yield events.slice(begin);
  }

  /** Lets the detectors look at each due instant up to `time`. All events until then must have been added. */
  passTime(time: RedisTime): void {
    if (this.#isDue(time)) this.#lookUntil(time);
  }

  /** Returns `time` if a look is due by then and must be done in slices. The caller then does it, as of `time`. */
  dueInSlices(time: RedisTime): RedisTime | undefined {
    if (!this.#isDue(time) || this.#store.changedLocks() <= MOST_AT_ONCE) return undefined;
    this.#setNext(time);
    return time;
  }

  /** How long it is until the detectors look next. */
  msUntilNext(time: RedisTime): Millis {
    return this.#next === undefined ? 0 : Math.max(0, millisBetween(time, this.#next));
  }

  #isDue(time: RedisTime): boolean {
    if (this.#next === undefined) this.#setNext(time);
    return this.#next !== undefined && this.#next <= time;
  }

  #lookUntil(time: RedisTime, source?: string): void {
    for (let n = 0; this.#next !== undefined && this.#next <= time && n < MOST_IN_PAUSE; n++) {
      const at = this.#next;
      const began = this.#nowMs();
      for (const _ of this.#store.look(at, source)) {
        // each turn does a short piece of the work
      }
      this.#setNext(plusMillis(at, REST * (this.#nowMs() - began)));
    }
    if (this.#isDue(time)) this.#setNext(time);
  }

  #setNext(at: RedisTime): void {
    this.#next = redisTime((Math.floor(at / EVERY) + 1) * EVERY);
  }
}
