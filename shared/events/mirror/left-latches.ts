import { type Millis, millisBetween, plusMillis, type RedisTime } from '../../base/time.ts';

/** The latches that a client left so far, as an event reports them. */
type LeftReport = {
  readonly client: string;
  readonly since: RedisTime;
  readonly unlocks: number;
  readonly keys: number;
  readonly keptMs: Millis;
};

/** How many unlocks of one second left their latch. */
type Second = { readonly from: RedisTime; count: number };
/** The latches that one client left. */
type LeftByClient = {
  since: RedisTime;
  unlocks: number;
  keptMs: Millis;
  seconds: Second[];
  reportedAt: RedisTime | undefined;
};

const MOST_CLIENTS = 1000;
/** An event reports many unlocks: each client gets at most one event in this time. */
const REPORT_EVERY: Millis = 10_000;
const MOST_SECONDS = 120;

/** Latches that clients left behind. They are counted by the second, until Redis drops them. */
export class LeftLatches {
  readonly #records = new Map<string, LeftByClient>();
  readonly #unreported = new Set<string>();

  note(client: string, at: RedisTime, keptMs: Millis): void {
    if (this.#records.size >= MOST_CLIENTS && !this.#records.has(client)) return;
    const known = this.#records.get(client);
    const record = known ?? { since: at, unlocks: 0, keptMs, seconds: [], reportedAt: undefined };
    this.#records.set(client, record);
    record.unlocks++;
    record.keptMs = keptMs;
    const last = record.seconds.at(-1);
    if (last && millisBetween(last.from, at) < 1000) last.count++;
    else record.seconds.push({ from: at, count: 1 });
    if (record.seconds.length > MOST_SECONDS) record.seconds.shift();
    this.#unreported.add(client);
  }

  /** Returns a report about each client that left latches since its last report, if that one is at least 10 s old. */
  takeNews(now: RedisTime): LeftReport[] {
    const news: LeftReport[] = [];
    for (const client of this.#unreported) {
      const record = this.#records.get(client);
      if (!record || (record.reportedAt !== undefined && millisBetween(record.reportedAt, now) < REPORT_EVERY))
        continue;
      this.#unreported.delete(client);
      record.reportedAt = now;
      const { since, unlocks, keptMs } = record;
      record.seconds = record.seconds.filter(({ from }) => plusMillis(from, keptMs) > now);
      const keys = record.seconds.reduce((sum, { count }) => sum + count, 0);
      news.push({ client, since, unlocks, keys, keptMs });
    }
    return news;
  }
}
