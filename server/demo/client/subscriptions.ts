import type { CommandConnection, CommandConnectionOptions } from '../../redis/connection/command-connection.ts';
import { WakeUps } from './wake-ups.ts';

/** A subscribed channel and the number of threads that wait on it. */
type Entry = { waiters: number; wakeUps: WakeUps; subscribed: Promise<void>; isSubscribed: boolean };

type SubscriptionListener = (name: 'subscribed' | 'unsubscribed', channel: string) => void;

/**
 * One subscription per client and channel, shared by all threads that wait on it. All use one separate connection.
 *
 *   waiting threads   1   2   1   0
 *                     SUBSCRIBE   UNSUBSCRIBE
 */
export class Subscriptions {
  readonly #entries = new Map<string, Entry>();
  /** Last command per channel: SUBSCRIBE and UNSUBSCRIBE of one channel never overtake each other. */
  readonly #tails = new Map<string, Promise<void>>();
  readonly #connection: CommandConnection;

  constructor(open: (listen: Pick<CommandConnectionOptions, 'onReady' | 'onMessage'>) => CommandConnection) {
    this.#connection = open({
      onReady: (connection) => {
        for (const [channel, entry] of this.#entries) {
          if (entry.isSubscribed) connection.call('SUBSCRIBE', channel).catch(() => undefined);
        }
      },
      onMessage: (channel, message) => {
        const entry = this.#entries.get(channel);
        if (entry) wake(entry, wakesOf(channel, message));
      },
    });
  }

  whenReady(withinMs: number): Promise<void> {
    return this.#connection.whenReady(withinMs);
  }

  /** Joins the channel's subscription; the first waiter subscribes. Each successful call needs a `leave`. */
  async join(channel: string, report: SubscriptionListener): Promise<WakeUps> {
    let entry = this.#entries.get(channel);
    if (!entry) {
      const fresh: Entry = { waiters: 0, wakeUps: new WakeUps(), subscribed: Promise.resolve(), isSubscribed: false };
      entry = fresh;
      this.#entries.set(channel, fresh);
      fresh.subscribed = this.#inTurn(channel, async () => {
        await this.#connection.whenReady(CONNECTED_WITHIN_MS);
        await this.#connection.call('SUBSCRIBE', channel);
        fresh.isSubscribed = true;
        report('subscribed', channel);
      });
    }
    entry.waiters++;
    try {
      await entry.subscribed;
      return entry.wakeUps;
    } catch (error) {
      this.leave(channel, report);
      throw error;
    }
  }

  /** Leaves the subscription. The last waiter unsubscribes, which is not awaited. */
  leave(channel: string, report: SubscriptionListener): void {
    const entry = this.#entries.get(channel);
    if (!entry) throw new Error(`no thread waits on ${channel}`);
    if (--entry.waiters > 0) return;
    this.#entries.delete(channel);
    this.#inTurn(channel, async () => {
      await this.#connection.call('UNSUBSCRIBE', channel);
      report('unsubscribed', channel);
    }).catch(() => undefined); // without a connection, the subscription is gone too
  }

  close(): void {
    this.#connection.close();
  }

  cut(): void {
    this.#connection.cut();
  }

  heal(): void {
    this.#connection.heal();
  }

  #inTurn(channel: string, job: () => Promise<void>): Promise<void> {
    const before = this.#tails.get(channel) ?? Promise.resolve();
    const turn = before.catch(() => undefined).then(job);
    this.#tails.set(channel, turn);
    const dropTail = () => {
      if (this.#tails.get(channel) === turn) this.#tails.delete(channel);
    };
    turn.then(dropTail, dropTail);
    return turn;
  }
}

const CONNECTED_WITHIN_MS = 3000;

type Wakes = 'nobody' | 'all' | number;

/**
 * How many waiters of this client a message wakes.
 *
 *   lock, read-write lock   0   one
 *   read-write lock         1   all: the writer has released
 *   semaphore               n   n, one per free permit
 *   latch                   0   all: it is open       1   none: it was set
 */
export function wakesOf(channel: string, message: string): Wakes {
  if (channel.startsWith('redisson_sc:')) return Number(message);
  if (channel.startsWith('redisson_countdownlatch__channel__')) return message === '0' ? 'all' : 'nobody';
  if (message === '1') return channel.startsWith('redisson_rwlock:') ? 'all' : 'nobody';
  return message === '0' ? 1 : 'nobody';
}

function wake({ waiters, wakeUps }: Entry, wakes: Wakes): void {
  if (wakes === 'all') wakeUps.releaseAll();
  else if (wakes !== 'nobody') for (let n = Math.min(wakes, waiters); n > 0; n--) wakeUps.release();
}
