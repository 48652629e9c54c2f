/** One attempt of a thread to take a lock. */
export type Attempt = {
  readonly lock: string;
  readonly holder: string;
  readonly leaseMs: number;
  /** False: it asks once and goes away. */
  readonly isWaiting: boolean;
  /** Fair lock: how long it may stand in the queue once its turn could have come. */
  readonly queueMs: number;
};

/** How locks of one kind are taken, waited for, kept alive and given back. */
export type WayOfLocking = {
  /** What stands for a thread in such a lock. */
  holderOf(uuid: string, thread: number): string;
  /** Null when acquired or re-entered, else the TTL its caller is told. */
  attempt(attempt: Attempt): Promise<number | null>;
  /** True: released; false: held still, one level less; null: this holder does not hold it. */
  unlock(lock: string, holder: string, leaseMs: number): Promise<boolean | null>;
  /** Where a waiter is told; null: nowhere, so it asks again and again. */
  channelOf(lock: string, holder: string): string | null;
  /** What a waiter says when its time is over. */
  giveUp?(lock: string, holder: string, queueMs: number): Promise<void>;
  /** Whether all threads of a process that hold such a lock are renewed together. */
  readonly isShared: boolean;
};

/** As long as a client might still repeat an unlock: four times (3 s timeout + 1 to 2 s pause). */
export function latchTtl(): number {
  return 4 * (3000 + 1000 + Math.floor(Math.random() * 1001));
}

/** A script's answer that is a number or nothing. */
export function replyNumber(reply: unknown): number | null {
  if (reply === null || typeof reply === 'number') return reply;
  throw new Error(`a lock script answered ${JSON.stringify(reply)}`);
}

export const RELEASED = '0';
/** Said when a writer has released: every sleeping reader may come. */
export const READERS_MAY_COME = '1';
export const PUBLISH = 'PUBLISH';
