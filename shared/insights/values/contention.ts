import type { Millis, RedisTime } from '../../base/time.ts';

/** A step of a circle: a waiting thread, the lock it wants, and the thread that holds that lock. */
type CircleStep = { readonly holder: string; readonly lock: string; readonly heldBy: string };

/** The values in the sentences of each insight: many clients want the same locks. Times are Redis time; null: none, or not known. */
export type ContentionValues = {
  /** Threads wait for each other in a circle. `isUpgrade`: a reader waits for the write lock of the lock it reads. */
  'abba-deadlock': {
    readonly path: readonly CircleStep[];
    readonly endsAt: RedisTime | null;
    readonly isUpgrade: boolean;
    /** The hold to release if no process can be restarted: the one that began last. */
    readonly release: string;
    readonly releaseOf: string;
  };
  /** Multi locks wait for each other in a circle, release what they have, and begin again. */
  'multilock-livelock': {
    readonly path: readonly CircleStep[];
    /** The thread of the multi lock that began first. */
    readonly holder: string;
    /** When it began. */
    readonly since: RedisTime;
    /** How often it released what it had, and began again. */
    readonly restarts: number;
  };
  /** A writer waits while new readers are admitted. */
  'writer-starvation': {
    readonly holder: string;
    readonly since: RedisTime;
    readonly writers: number;
    /** The reads that were admitted while a writer waited and the lock was never free. */
    readonly reads: number;
    readonly attempts: number;
  };
  /** The number of a semaphore no longer matches what clients do with it. */
  'semaphore-permit-drift': {
    /** Clients that are gone took permits; otherwise more permits were released than taken. */
    readonly isLoss: boolean;
    /** The client that was gone first, or the one that released last. */
    readonly holder: string | null;
    readonly since: RedisTime;
    /** How many permits are lost, or too many. */
    readonly permits: number;
    /** All permits, without those that are too many. */
    readonly total: number | null;
    readonly available: number | null;
    readonly waiting: number;
  };
  /** More permits of a semaphore are taken than exist. */
  'permits-beyond-limit': {
    /** The client that first took one too many. */
    readonly holder: string | null;
    readonly since: RedisTime;
    readonly limit: number;
    /** The most permits that were taken at once. */
    readonly out: number;
    /** Too many releases made it possible; otherwise clients allow different numbers of permits. */
    readonly isRaised: boolean;
    readonly isOver: boolean;
  };
  /** A caller of node-redlock got an error that names no cause. */
  'quorum-error-without-cause': {
    readonly cause: 'held' | 'no-lock' | 'late';
    readonly holder: string;
    readonly heldBy: string | null;
    /** How many callers got the error for this cause. */
    readonly times: number;
    readonly tries: number;
    readonly tookMs: Millis;
    readonly leaseMs: Millis | null;
  };
  /** Each holder released the lock before the next one acquired it. */
  'released-before-commit': {
    readonly since: RedisTime;
    readonly handovers: number;
    /** The shortest time from a release to the next acquisition. */
    readonly tightestMs: Millis;
  };
  /** A client asks for a held lock without a pause. */
  'attempt-flood': {
    /** The waiter, or the address of the connection whose attempts are all by new callers. */
    readonly holder: string;
    readonly isNewEachTime: boolean;
    readonly attempts: number;
    readonly perSecond: number;
    readonly waiting: number;
  };
  /** Many threads wait all the time, and the lock changes hands. */
  convoy: {
    readonly waiting: number;
    /** The median of its newest holds, and how many they are. */
    readonly holdMs: Millis;
    readonly holds: number;
    /** Hand-overs. */
    readonly perSecond: number;
    /** How long the oldest of them has waited. */
    readonly waitedMs: Millis;
  };
  /** Each release wakes many threads, and all but one are refused. */
  'thundering-herd': { readonly releases: number; readonly refused: number; readonly isReadWrite: boolean };
};
