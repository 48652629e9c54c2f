import type { OrderedFeed } from '../redis/ordered-feed.ts';
import { notificationFlags } from './levels.ts';

/** Redis's `notify-keyspace-events`, changed for as long as we watch: `--configure-notifications`. */
export class NotificationSetting {
  #before: string | undefined;

  /** Turns on what level `events` needs, where the user may. */
  async turnOn(feed: OrderedFeed): Promise<void> {
    const before = feed.capabilities.notifications;
    if (before === null) return;
    const notifications = notificationFlags(before);
    if (notifications === before) return;
    const [reply] = await feed.ask(['CONFIG', 'SET', 'notify-keyspace-events', notifications]);
    if (reply !== 'OK') return;
    this.#before ??= before;
    feed.capabilities = { ...feed.capabilities, notifications };
  }

  /** Puts back what was set before, when it was changed. */
  async putBack(feed: OrderedFeed | undefined): Promise<void> {
    if (this.#before === undefined) return;
    await feed?.ask(['CONFIG', 'SET', 'notify-keyspace-events', this.#before]).catch(() => []);
  }
}
