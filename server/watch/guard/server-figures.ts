import type { Source } from '../../../shared/wire/source.ts';
import { fieldsFromInfo } from '../../redis/connection/info-fields.ts';
import { steadyMs } from '../../redis/connection/surroundings.ts';
import type { OrderedFeed } from '../../redis/stream/ordered-feed.ts';

const EVERY_MS = 10_000;

type Figures = NonNullable<Source['server']>;

/**
 * What a server reports about itself: uptime, memory and clients. Asked every 10 s. The figures are only shown; no
 * decision depends on them.
 */
export class ServerFigures {
  #figures: Figures | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;

  /** Asks the server if that is due. */
  async measure(feed: OrderedFeed): Promise<void> {
    const now = steadyMs();
    if (now - this.#askedAt < EVERY_MS) return;
    this.#askedAt = now;
    const replies = await feed.ask(['INFO', 'server'], ['INFO', 'memory'], ['INFO', 'clients']);
    this.#figures = figuresFromInfo(replies.filter((reply) => typeof reply === 'string').join('\r\n'));
  }

  /** Forgets the figures: another connection may be to another server. */
  forget(): void {
    this.#figures = undefined;
    this.#askedAt = Number.NEGATIVE_INFINITY;
  }

  report(): Figures | undefined {
    return this.#figures;
  }
}

/**
 * Reads the text of `INFO server`, `INFO memory` and `INFO clients`. Null: the server did not report it, or has no
 * limit for its memory.
 */
export function figuresFromInfo(text: string): Figures {
  const fields = fieldsFromInfo(text);
  const field = (name: string): number | null => {
    const value = fields.get(name) ?? '';
    return /^\d+$/.test(value) ? Number(value) : null;
  };
  const limit = field('maxmemory');
  return {
    uptimeSeconds: field('uptime_in_seconds'),
    usedMemoryBytes: field('used_memory'),
    maxMemoryBytes: limit === 0 ? null : limit,
    clients: field('connected_clients'),
  };
}
