import type { RedisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import type { Source } from '../../shared/wire/source.ts';
import type { OrderedFeed } from '../redis/ordered-feed.ts';
import type { Problem } from '../redis/problem.ts';
import type { LevelSwitch } from './level-switch.ts';
import { blindnessOf, keyEventSource } from './levels.ts';

/** How one source fares: what the health strip shows. */
export class SourceStatus {
  status: Source['status'] = 'connecting';
  problem: Problem | undefined;
  snapshotAt: RedisTime | null = null;
  rejected = 0;
  /** How far behind Redis we are, as last measured. */
  lagMs = 0;
  #drift = 0;
  #lines = { at: 0, count: 0, perSecond: 0 };
  readonly #id: string;
  readonly #url: string;

  /** `url` is what may be shown of it. */
  constructor(id: string, url: string) {
    this.#id = id;
    this.#url = url;
  }

  /** Counts what was told otherwise than it was, and nobody knows why. */
  count(events: readonly LockEvent[]): void {
    for (const event of events) if (event.type === 'drift.healed' && event.cause === 'unexplained') this.#drift++;
  }

  /** Measures clock, lag and lines a second. */
  async measure(feed: OrderedFeed, level: Source['level']): Promise<void> {
    const { at, count, perSecond } = this.#lines;
    const now = Date.now();
    const rate = at > 0 ? Math.round(Math.max(0, feed.lines - count) / ((now - at) / 1000)) : perSecond;
    this.#lines = { at: now, count: feed.lines, perSecond: rate };
    const answerMs = await feed.syncClock();
    this.lagMs = level === 'monitor' ? Math.max(0, (await feed.streamLag()) - answerMs) : answerMs;
  }

  /** All of it, as it is told. */
  report(feed: OrderedFeed | undefined, { level, reason }: LevelSwitch): Source {
    const keyEvents = feed ? keyEventSource(level, feed.capabilities) : 'off';
    return {
      id: this.#id,
      url: this.#url,
      redisVersion: feed?.capabilities.version ?? '',
      role: feed?.capabilities.role ?? 'master',
      status: this.status,
      level,
      lagMs: Math.round(this.lagMs),
      linesPerSecond: this.status === 'observing' ? this.#lines.perSecond : 0,
      guard: reason === undefined ? { state: 'ok' } : { state: 'tripped', reason },
      cannotSee: blindnessOf(level, keyEvents),
      keyEvents,
      ...(this.problem ? { problem: this.problem } : {}),
      snapshotAt: this.snapshotAt,
      drift: this.#drift,
      rejected: this.rejected,
      clockOffsetMs: Math.round((feed?.clockOffset ?? 0) / 1000),
    };
  }
}
