import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { Demo } from '../../../shared/wire/demo.ts';

/** The most responses that wait for their events. If there are more, the oldest are dropped. */
const MOST_WAITING = 50;

/**
 * Until when the page has all events. A response of the demo reports that the events up to a `seq` are all that Redis
 * did before an instant. On a busy machine, these events arrive later than the response, on another connection:
 *
 *   demo     until 10:00:02.1, seq 7 ─────────────┐
 *   events   … 5   6 ················· 7 ─────────┴──▶ complete until 10:00:02.1
 */
export class ReportedUntil {
  #demo: Timed | null = null;
  #waiting: NonNullable<Demo['reported']>[] = [];
  #until = 0;

  /** Takes a response of the demo. The first response of a new run forgets the previous run. */
  take(demo: Timed): void {
    const { startedAt, reported } = demo;
    if (this.#demo === null || startedAt !== this.#demo.startedAt) {
      this.#waiting = [];
      this.#until = reported ? (startedAt ?? 0) : Number.POSITIVE_INFINITY;
    }
    this.#demo = demo;
    if (reported) this.#waiting = [...this.#waiting, reported].slice(-MOST_WAITING);
  }

  /**
   * Returns the instant up to which the stage may play. `known`: the latest such instant; `seq`: the newest event of
   * the page. After a scenario has ended, the stage waits only for the events of its steps.
   */
  edge(known: RedisTime, seq: number): RedisTime {
    const until = this.#untilOf(seq);
    const { state, at = known, script = [] } = this.#demo ?? {};
    if (state === 'running') return redisTime(Math.min(known, at, until));
    return script.some((step) => (step.at ?? 0) > until) ? redisTime(Math.min(known, until)) : known;
  }

  #untilOf(seq: number): number {
    for (const each of this.#waiting) if (each.seq <= seq) this.#until = Math.max(this.#until, each.until);
    this.#waiting = this.#waiting.filter((each) => each.seq > seq);
    return this.#until;
  }
}

type Timed = Pick<Demo, 'startedAt' | 'reported' | 'state' | 'at' | 'script'>;
