import { millisBetween, plusMillis, type RedisTime, redisTime } from '../../../../shared/base/time.ts';
import type { ServerFacts, Standstill } from '../../../../shared/signals/server-signal.ts';
import { majorVersion } from '../../../redis/connection/capabilities.ts';
import { hasPausedClient, MOST_LISTED_CLIENTS } from '../../../redis/reads/client-list.ts';
import type { OrderedFeed } from '../../../redis/stream/ordered-feed.ts';
import type { ServerCounters } from '../../guard/server-counters.ts';
import type { Range } from './standstill-causes.ts';

/** How long the list of clients is searched for a waiting client, after CLIENT PAUSE and after a client last waited. */
const LOOKED_FOR_MS = 60_000;
/** Two reports of one pause differ in its end by less than this. */
const SAME_END_MS = 1000;

/**
 * Notices when CLIENT PAUSE makes clients wait. Valkey reports this in INFO since 8.1. Redis does not: after a call of
 * CLIENT PAUSE, only the list of clients shows that a client waits.
 */
export class ClientPauses {
  readonly #feed: OrderedFeed;
  readonly #ask: OrderedFeed['ask'];
  /** Between which samples CLIENT PAUSE was called last. */
  called: Range | undefined;
  /** When a CLIENT PAUSE was noticed, or last made a client wait. */
  #lookFrom: RedisTime | undefined;
  /** The pause that makes clients wait, and when that was last seen. */
  #pause: (Pick<ServerFacts, 'pausedUntil'> & { readonly pausedSince: RedisTime }) | undefined;
  #seenAt = redisTime(0);

  constructor(feed: OrderedFeed, ask: OrderedFeed['ask']) {
    this.#feed = feed;
    this.#ask = ask;
  }

  /** Looks for a pause at the next sample, and returns one that has ended. */
  async take(
    { at, counters: { pauses, pausedForMs, connected } }: Sample,
    before: Sample | undefined,
  ): Promise<Standstill | undefined> {
    const now = this.#feed.now();
    // Also before the first report: the pause may still last.
    if (pauses > (before?.counters.pauses ?? 0)) this.#lookFrom = now;
    if (before && pauses > before.counters.pauses) this.called = { from: before.at, to: now };
    const last = this.#pause;
    const mayBe =
      last !== undefined || (this.#lookFrom !== undefined && at < plusMillis(this.#lookFrom, LOOKED_FOR_MS));
    const isPaused = pausedForMs === null ? mayBe && (await this.#hasPaused(connected)) : pausedForMs > 0;
    if (isPaused) {
      this.#seenAt = at;
      this.#lookFrom = at;
      const until = pausedForMs === null ? undefined : plusMillis(at, pausedForMs);
      const isSame = until !== undefined && Math.abs(millisBetween(last?.pausedUntil ?? at, until)) < SAME_END_MS;
      const pausedUntil = isSame ? last?.pausedUntil : until;
      this.#pause = {
        pausedSince: last?.pausedSince ?? at,
        ...(pausedUntil === undefined ? undefined : { pausedUntil }),
      };
      return undefined;
    }
    this.#pause = undefined;
    if (!last) return undefined;
    const to = redisTime(Math.min(at, last.pausedUntil ?? this.#seenAt));
    return { from: last.pausedSince, to, command: 'CLIENT PAUSE', shownBy: 'pause', isOfWrites: true };
  }

  /** What is known about pauses, as facts of the server. Before version 7, INFO counts no calls of CLIENT PAUSE. */
  facts({ pausedForMs, connected }: ServerCounters): Partial<ServerFacts> {
    const areSeen =
      pausedForMs !== null || (majorVersion(this.#feed.capabilities.version) >= 7 && this.#mayList(connected));
    return { ...this.#pause, ...(areSeen ? undefined : { arePausesUnseen: true }) };
  }

  #mayList(connected: number): boolean {
    return connected <= MOST_LISTED_CLIENTS && this.#feed.capabilities.canListClients;
  }

  async #hasPaused(connected: number): Promise<boolean> {
    if (!this.#mayList(connected)) return false;
    const [reply] = await this.#ask(['CLIENT', 'LIST']);
    return typeof reply === 'string' && hasPausedClient(reply);
  }
}

type Sample = { readonly at: RedisTime; readonly counters: ServerCounters };
