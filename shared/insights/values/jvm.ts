import type { RedisTime } from '../../base/time.ts';

/** The values in the sentences of each insight: what a thread dump shows together with the locks. Times are Redis time. */
export type JvmValues = {
  /** The dump of its client has no thread with the id of a holder. */
  'holder-thread-ended': {
    readonly holder: string;
    /** The id of the thread that is missing. */
    readonly thread: number;
    /** Whether the dump also lists virtual threads; a JVM with `jdk.trackAllThreads=false` leaves some out. */
    readonly listsVirtual: boolean;
    /** When the dump was taken. */
    readonly dumpAt: RedisTime;
    /** Null: it began before watching began. */
    readonly since: RedisTime | null;
    /** Whether a watchdog renews the hold; null: not known yet. */
    readonly isRenewed: boolean | null;
    /** When its lease ends; null: it is renewed, has none, or that is not known. */
    readonly endsAt: RedisTime | null;
    readonly waiting: number;
  };
  /** Threads wait for each other in a circle, partly in Redis, partly inside a JVM. */
  'jvm-redis-deadlock': {
    /** Each waits for the next. `lock`: a lock in Redis. `monitor`: the class of a monitor or lock inside the JVM. */
    readonly path: readonly {
      readonly holder: string;
      readonly lock: string | null;
      readonly monitor: string | null;
      readonly heldBy: string;
    }[];
    /** When the newest of the dumps was taken. */
    readonly dumpAt: RedisTime;
    /** A thread of the circle waits in `tryLock()`, which gives up after a time. */
    readonly givesUp: boolean;
    /** The first end of a lease in the circle that no watchdog renews; null: none is known. */
    readonly endsAt: RedisTime | null;
  };
};
