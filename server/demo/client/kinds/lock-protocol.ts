import { random } from '../../../redis/connection/surroundings.ts';

/** One attempt of a thread to acquire a lock. */
type Attempt = {
  readonly lock: string;
  readonly holder: string;
  readonly leaseMs: number;
  /** False: a single attempt, without waiting. */
  readonly isWaiting: boolean;
  /** Fair lock: how long the waiter may stay in the queue after its turn could have come, in ms. */
  readonly queueMs: number;
};

/** How locks of one kind are acquired, waited for and released. */
export type LockProtocol = {
  /** The field or member that identifies a thread in such a lock. */
  holderOf(uuid: string, thread: number): string;
  /** Null if acquired or re-entered. Otherwise the TTL in ms that the script returned. */
  attempt(attempt: Attempt): Promise<number | null>;
  /**
   * True: released, or a fair lock was already free. False: still held, with a lower hold count or by other readers.
   * Null: this holder does not hold it.
   */
  unlock(lock: string, holder: string, leaseMs: number): Promise<boolean | null>;
  /** The channel that wakes a waiter; null: no channel, so the waiter polls. */
  channelOf(lock: string, holder: string): string | null;
  /** Called when a waiter gives up. */
  giveUp?(lock: string, holder: string, queueMs: number): Promise<void>;
  /** True if several threads can hold such a lock; then the watchdog renews all of these holds. */
  readonly isShared: boolean;
};

/**
 * TTL of an unlock latch in ms. A client may try an unlock four times, each time for 3 s and with a pause of 1 to 2 s.
 */
export function latchTtl(): number {
  return 4 * (3000 + 1000 + Math.floor(random() * 1001));
}

/** Returns a script's reply that is a number or nil; throws for any other reply. */
export function replyNumber(reply: unknown): number | null {
  if (reply === null || typeof reply === 'number') return reply;
  throw new Error(`a lock script returned ${JSON.stringify(reply)}`);
}

export const RELEASED = '0';
/** Published when a writer has released: wakes every sleeper, readers and writers. */
export const READERS_MAY_COME = '1';
export const PUBLISH = 'PUBLISH';
