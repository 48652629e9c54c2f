import { type Millis, millisBetween, plusMillis, type RedisTime, redisTime } from '../../../base/time.ts';

/** A client that takes longer is late. Milliseconds are usual, also on a busy machine or over a slow network. */
const LATE_AFTER: Millis = 1000;
/** If a client reacts in time this long after it was last late, it gets enough processor time again. */
const RECOVERED: Millis = 60_000;
const MOST_CLIENTS = 10_000;

/** When a client last reacted in time, and when it last reacted late. */
type Pace = { promptAt: RedisTime; lateAt: RedisTime };
const NEVER: Pace = { promptAt: redisTime(0), lateAt: redisTime(0) };

/**
 * How soon clients do what they must do next. A client that is late with one thing gets too little processor time, so
 * the silence of its threads proves nothing:
 *
 *   refused ……… SUBSCRIBE ……… second attempt        message ……… attempt        own timer ends ……… attempt
 */
export class Reactions {
  readonly #paces = new Map<string, Pace>();

  /** Notes that a client could react from `from` on, and did so at `at`. Returns how long that took if it was late. */
  note(client: string, from: RedisTime, at: RedisTime): Millis | undefined {
    const tookMs = millisBetween(from, at);
    const pace = this.#paceOf(client);
    if (tookMs > LATE_AFTER) {
      pace.lateAt = at;
      return Math.round(tookMs);
    }
    pace.promptAt = at;
    return undefined;
  }

  /**
   * Whether a client has reacted in time since that instant. If it was also late since then, it must have recovered.
   */
  isOnTime(client: string, since: RedisTime): boolean {
    const { promptAt, lateAt } = this.#paces.get(client) ?? NEVER;
    return promptAt > since && (lateAt <= since || promptAt > plusMillis(lateAt, RECOVERED));
  }

  #paceOf(client: string): Pace {
    const known = this.#paces.get(client);
    if (known) return known;
    const [oldest] = this.#paces.keys();
    if (this.#paces.size >= MOST_CLIENTS && oldest !== undefined) this.#paces.delete(oldest);
    const pace = { ...NEVER };
    this.#paces.set(client, pace);
    return pace;
  }
}
