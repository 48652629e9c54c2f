import type { RedisUrl } from '../../shared/base/redis-url.ts';
import { nodeOf } from '../../shared/base/topology-url.ts';
import type { OrderedFeed } from '../redis/ordered-feed.ts';
import { RawConnection } from '../redis/raw-connection.ts';
import { notificationFlags } from './levels.ts';

/** How long a server that was watched before may take to be put back: ending may not wait for one that is gone. */
const PATIENCE_MS = 1000;

/** Redis's `notify-keyspace-events`, changed for as long as we watch: `--configure-notifications`. */
export class NotificationSetting {
  /** What was set before, by server. */
  readonly #before = new Map<string, { readonly server: RedisUrl; readonly flags: string }>();

  /** Turns on what level `events` needs, where the user may. */
  async turnOn(feed: OrderedFeed, server: RedisUrl): Promise<void> {
    const before = feed.capabilities.notifications;
    if (before === null) return;
    const notifications = notificationFlags(before);
    if (notifications === before) return;
    const [reply] = await feed.ask(['CONFIG', 'SET', 'notify-keyspace-events', notifications]);
    if (reply !== 'OK') return;
    const node = nodeOf(server);
    if (!this.#before.has(node)) this.#before.set(node, { server, flags: before });
    feed.capabilities = { ...feed.capabilities, notifications };
  }

  /** Puts back what was set before, on every server where it was changed and that can be reached. */
  async putBack(feed: OrderedFeed | undefined, present: RedisUrl | undefined): Promise<void> {
    const all = [...this.#before].map(([node, { server, flags }]) => {
      const command = ['CONFIG', 'SET', 'notify-keyspace-events', flags];
      if (feed && present && nodeOf(present) === node) return feed.ask(command).then(() => undefined);
      return within(PATIENCE_MS, setOn(server, command));
    });
    await Promise.allSettled(all);
  }
}

async function setOn(server: RedisUrl, command: readonly string[]): Promise<void> {
  const connection = await RawConnection.open(server);
  try {
    await connection.greet(server, 'lockscope');
    await connection.command(...command);
  } finally {
    connection.close();
  }
}

function within(ms: number, job: Promise<void>): Promise<void> {
  return Promise.race([job, new Promise<void>((resolve) => setTimeout(resolve, ms).unref())]);
}
