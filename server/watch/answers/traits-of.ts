import type { ObserveLevel } from '../../../shared/base/observe-level.ts';
import { type Millis, type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { EventOf, EventType, LockEvent } from '../../../shared/events/event.ts';
import { KINDS } from '../../../shared/events/kinds/kinds.ts';
import { clientOf } from '../../../shared/events/names/names.ts';
import { lockIdOf } from '../../../shared/state/lock-state.ts';
import { lookBack } from '../history/look-back.ts';
import type { Remembered } from '../history/remembered.ts';
import type { WatchLog } from '../history/watch-log.ts';
import type { Sliced } from '../slices/in-slices.ts';

/** A channel of a lock that a client is subscribed to. */
type Subscription = {
  /** Id of the lock: `source/db/name`. */
  readonly id: string;
  readonly db: number;
  readonly lock: string;
  readonly channel: string;
  readonly since: RedisTime;
  readonly seq: number;
  /** Whether an unknown client has left this channel since the SUBSCRIBE. */
  readonly mayHaveEnded: boolean;
};

/** A client's own time, as the arguments of a fair lock's script show it. */
type ClockMeasure = {
  /**
   * The client's clock was at least this far ahead of Redis's (negative: at most this far behind). Null: they differed
   * by less than 1 s.
   */
  readonly aheadMs: Millis | null;
  readonly at: RedisTime;
  readonly seq: number;
  readonly db: number;
  readonly lock: string;
};

export type TraitsOfClient = {
  /**
   * `from`: since when every SUBSCRIBE was seen. `unseen`: the level at this instant, if it does not show SUBSCRIBE;
   * null: it does.
   */
  readonly subscriptions: {
    readonly from: RedisTime;
    readonly unseen: Exclude<ObserveLevel, 'monitor'> | 'unwatched' | null;
    readonly channels: readonly Subscription[];
  };
  /** `from`: since when the events were read. `measure`: the newest one; null: none. */
  readonly clock: { readonly from: RedisTime; readonly measure: ClockMeasure | null };
};

const TYPES = [
  'waiter.subscribed',
  'waiter.unsubscribed',
  'lock.acquired',
  'lock.refused',
  'client.gone',
  'client.unknown',
  'blind-spot.began',
  'failover',
] as const satisfies readonly EventType[];

/** Reads which channels a client of a source is subscribed to at an instant, and what it last showed of its clock. */
export function* traitsOf(
  memory: Remembered,
  { source, client, to }: { source: string; client: string; to: RedisTime },
  sight: ReturnType<ReturnType<WatchLog['sights']>['get']>,
): Sliced<TraitsOfClient> {
  const { newest, from } = lookBack(memory, to, redisTime(0));
  const unseen = sight === undefined ? 'unwatched' : sight.level === 'monitor' ? null : sight.level;
  const shownSince = redisTime(Math.max(from, sight?.watchedSince ?? from));
  const reader = new TraitsReader(client);
  for (const block of newest) {
    if (block.oldestAt > to || !TYPES.some((type) => block.hasType(type))) continue;
    for (const event of block.events()) {
      if (event.seq >= memory.nextSeq) break;
      if (event.source !== source || event.at > to) continue;
      if (event.at >= shownSince && unseen === null) reader.takeSubscription(event);
      reader.takeClock(event);
    }
    yield;
  }
  const channels = [...reader.channels.values()];
  return { subscriptions: { from: shownSince, unseen, channels }, clock: { from, measure: reader.measure } };
}

type SubscriptionEvent = EventOf<'waiter.subscribed' | 'waiter.unsubscribed'>;

class TraitsReader {
  readonly channels = new Map<string, Subscription>();
  measure: ClockMeasure | null = null;
  readonly #client: string;

  constructor(client: string) {
    this.#client = client;
  }

  takeSubscription(event: LockEvent): void {
    switch (event.type) {
      case 'waiter.subscribed':
        if (clientIn(event) === this.#client) this.#begin(event);
        break;
      case 'waiter.unsubscribed':
        this.#end(event);
        break;
      case 'client.gone':
      case 'client.unknown':
        if (event.client === this.#client) this.channels.clear();
        break;
      case 'blind-spot.began':
      case 'failover':
        this.channels.clear();
    }
  }

  /** Attempts at a fair lock carry the client's time. `by` is absent if only their effect was seen. */
  takeClock(event: LockEvent): void {
    if (event.type !== 'lock.acquired' && event.type !== 'lock.refused') return;
    if (event.by === undefined || !KINDS[event.kind].hasQueue || event.clockUnseen) return;
    if (clientOf(event.holder) !== this.#client) return;
    const { clockAheadMs: aheadMs = null, at, seq, db, lock } = event;
    this.measure = { aheadMs, at, seq, db, lock };
  }

  #begin(event: SubscriptionEvent): void {
    const { source, db, lock, channel, at: since, seq } = event;
    const key = keyOf(event);
    const known = this.channels.get(key);
    const subscription = { id: lockIdOf({ source, db, lock }), db, lock, channel, since, seq, mayHaveEnded: false };
    this.channels.set(key, known ? { ...known, mayHaveEnded: false } : subscription);
  }

  #end(event: SubscriptionEvent): void {
    const key = keyOf(event);
    const known = this.channels.get(key);
    if (!known) return;
    const client = clientIn(event);
    if (client === this.#client || event.subscribers === 0) this.channels.delete(key);
    else if (client === undefined) this.channels.set(key, { ...known, mayHaveEnded: true });
  }
}

function keyOf({ db, lock, channel }: { db: number; lock: string; channel: string }): string {
  return `${db} ${channel} ${lock}`;
}

function clientIn({ client, holder }: { client?: string; holder?: string }): string | undefined {
  return client ?? (holder === undefined ? undefined : clientOf(holder));
}
