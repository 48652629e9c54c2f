import type { RedisUrl } from '../../../shared/base/redis-url.ts';
import { type Problem, problem } from '../../../shared/wire/problems/problem.ts';
import type { ObserveLevel } from '../../../shared/wire/source.ts';
import { areNotificationsEnough, hasExpiryEvents } from '../../redis/connection/capabilities.ts';
import { startTimer, stopTimer } from '../../redis/connection/surroundings.ts';
import type { OrderedFeed } from '../../redis/stream/ordered-feed.ts';
import { keyEventSource, patternsFor } from '../terms/levels.ts';
import type { FromWorker } from './worker-messages.ts';

/** The main thread answers within two seconds. A source does not wait longer than this for the answer. */
const PATIENCE_MS = 2500;

/** One source's view of Redis's `notify-keyspace-events`. The main thread changes the setting (`kept-settings.ts`). */
export class NotificationSetting {
  /** What is missed because another client has changed the setting; undefined: nothing. */
  notice: Problem | undefined;
  readonly #post: (message: FromWorker) => void;
  #onReady: () => void = () => {};

  constructor(post: (message: FromWorker) => void) {
    this.#post = post;
  }

  /** Waits until the main thread has set the wanted value on this server, or leaves it, then reads the setting. */
  async prepare(feed: OrderedFeed, server: RedisUrl, level: ObserveLevel): Promise<void> {
    if (feed.capabilities.notifications === null || level === 'replication') return;
    await new Promise<void>((resolve) => {
      const timer = startTimer(resolve, PATIENCE_MS);
      this.#onReady = () => {
        stopTimer(timer);
        resolve();
      };
      this.#post({ type: 'server', server });
    });
    await this.#read(feed);
  }

  /** Called when the main thread is done. */
  ready(): void {
    this.#onReady();
  }

  /**
   * Reads the setting again. If it needs more patterns at level `monitor`, they are subscribed to on the same
   * connection, so that nothing is missed. Returns true if another client changed the setting and a new connection is
   * needed.
   */
  async hasChanged(feed: OrderedFeed, level: ObserveLevel, match: readonly string[]): Promise<boolean> {
    const before = feed.capabilities;
    if (before.notifications === null || level === 'replication') return false;
    await this.#read(feed);
    const { notifications: flags } = feed.capabilities;
    if (flags === before.notifications || flags === null) return false;
    const isEnough = level === 'monitor' ? hasExpiryEvents : areNotificationsEnough;
    if (isEnough(flags)) this.notice = undefined;
    else if (isEnough(before.notifications)) this.notice = problem('unseen-key-events', { flags });
    const known = patternsFor(level, before, match);
    const wanted = patternsFor(level, feed.capabilities, match);
    const added = wanted.filter((pattern) => !known.includes(pattern));
    if (level === 'monitor' && wanted.length === known.length + added.length) return !(await feed.listen(added));
    return keyEventSource(level, before) !== keyEventSource(level, feed.capabilities) || `${known}` !== `${wanted}`;
  }

  async #read(feed: OrderedFeed): Promise<void> {
    const [config] = await feed.ask(['CONFIG', 'GET', 'notify-keyspace-events']);
    if (Array.isArray(config)) feed.capabilities = { ...feed.capabilities, notifications: String(config[1] ?? '') };
  }
}
