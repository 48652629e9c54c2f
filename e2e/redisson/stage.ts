import type { Lock } from '../../shared/wire/lock.ts';
import type { ToldEvent } from '../support/lockscope.ts';
import type { JavaClient } from '../support/redisson.ts';
import type { JavaThread } from '../support/redisson-thread.ts';

/** What Lockscope should show of one lock. What is left out is not looked at. */
export type Picture = {
  /** Null: nobody. */
  holder: JavaThread | null;
  holdCount?: number;
  /** Who waits for it, asleep after at least two attempts; the order does not matter. */
  waiters?: readonly JavaThread[];
  leaseMs?: number;
  watchdog?: 'on' | 'off' | 'unknown';
  /** At least so many renewals of this hold. */
  renewals?: number;
};

/** What a scenario plays on: real clients, a real Redis, and Lockscope watching. */
export type Stage = {
  /**
   * The client of that name, started on first use and kept for later scenarios. `app…` has the usual watchdog
   * timeout of 30 s, `short…` one of 3 s.
   */
  client(name: 'app1' | 'app2' | 'app3' | 'short1' | 'short2'): Promise<JavaClient>;
  /** Waits until Lockscope shows the lock so; gives back what it shows. */
  sees(lock: string, picture: Picture): Promise<Lock>;
  /** Waits until that event has been told of the lock, in this scenario; gives it back. */
  told(lock: string, type: ToldEvent['type'], holder?: JavaThread): Promise<ToldEvent>;
};

/** One story, played by real clients. What Lockscope tells of it is compared with what they saw when it is over. */
export type Scenario = { id: string; play: (stage: Stage) => Promise<void> };

/** Lease that the watchdog of a `short…` client keeps alive. */
export const SHORT_WATCHDOG_MS = 3000;

/** An unlock by a thread that does not hold the lock, while somebody else does. */
export const NOT_HELD = /^! IllegalMonitorStateException/;

/** An unlock of a lock that nobody holds: releases up to 3.10.5 do not notice. */
export const NOT_HELD_BY_ANYBODY = /^(ok$|! IllegalMonitorStateException)/;
