import { count } from '../../base/count.ts';
import type { RedisTime } from '../../base/time.ts';
import type { WordsOf } from '../words.ts';
import { sentences } from './sentences.ts';

/** The values in the sentences of insights that a thread dump shows together with the locks. Times are Redis time. */
export type JvmValues = {
  /** The dump of a holder's client has no thread with the holder's id. */
  'holder-thread-ended': {
    readonly holder: string;
    /** The id of the thread that is missing. */
    readonly thread: number;
    /** Whether the dump also lists virtual threads; a JVM with `jdk.trackAllThreads=false` leaves some out. */
    readonly listsVirtual: boolean;
    /** When the dump was taken. */
    readonly dumpAt: RedisTime;
    /** When the hold began; null: before watching began. */
    readonly since: RedisTime | null;
    /** Whether a watchdog renews the hold; null: not known yet. */
    readonly isRenewed: boolean | null;
    /** When the lease ends; null: it is renewed, has no end, or that is not known. */
    readonly endsAt: RedisTime | null;
    readonly waiting: number;
  };
  /** Threads wait for each other in a circle, partly in Redis, partly inside a JVM. */
  'jvm-redis-deadlock': {
    /**
     * The threads of the circle: each waits for the next one. `lock`: the thread waits for this lock in Redis, with this
     * id.
     * `monitor`: it waits inside the JVM for a monitor or lock of this class; empty: the class is not known.
     */
    readonly path: readonly {
      readonly holder: string;
      readonly lock: string | null;
      readonly lockId: string | null;
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

export const jvm: WordsOf<JvmValues> = {
  'holder-thread-ended': {
    title: 'The thread of the holder is not in the thread dump',
    explanation: ({ holder, thread, listsVirtual, dumpAt, since, isRenewed, endsAt, waiting }, { who, clock }) =>
      sentences(
        `${who(holder)} has held this lock ${since === null ? 'since before it was seen' : `since ${clock(since)}`}.`,
        `The thread dump of its client, taken at ${clock(dumpAt)}, has no thread with the id ${thread}.`,
        'So the thread has probably ended without an unlock. A call that passed another id to lockAsync() would look the same.',
        listsVirtual && 'So would a virtual thread if the JVM runs with jdk.trackAllThreads=false.',
        isRenewed === true && 'The watchdog of its client still renews the lease.',
        endsAt !== null && `No watchdog renews the lease. It ends at ${clock(endsAt)}.`,
        waiting > 0 && `${count(waiting, 'thread waits', 'threads wait')} for the lock.`,
      ),
    advice: ({ isRenewed }) =>
      isRenewed === true
        ? 'If no other code will unlock it, release it by hand, or stop the client: the lock then ends with its lease.'
        : 'If no other code will unlock it, wait for the end of the lease, or release it by hand.',
    later: () => 'Unlock in a finally block of the thread that locked.',
  },
  'jvm-redis-deadlock': {
    title: 'Deadlock across Redis and a JVM',
    explanation: ({ path, dumpAt, givesUp, endsAt }, { who, clock }) =>
      sentences(
        ...path.map(({ holder, lock, monitor, heldBy }) =>
          lock === null
            ? `${who(holder)} waits inside its JVM for ${monitor === null || monitor === '' ? 'a lock' : `a lock (${monitor})`} that ${who(heldBy)} holds.`
            : `${who(holder)} waits for ${lock} in Redis, which ${who(heldBy)} holds.`,
        ),
        `The waits inside the JVM are those of the thread dump of ${clock(dumpAt)}. The holds and waits in Redis are older and still last.`,
        givesUp && 'A thread in it waits in tryLock(), which gives up at its time limit. That breaks the circle.',
        endsAt === null
          ? 'No lease in the circle is known to end.'
          : `A lease in the circle ends at ${clock(endsAt)}. The thread that gets the lock then can go on, but the work of the other one is no longer protected.`,
      ),
    advice: () =>
      'Take a second thread dump: if it shows the same threads, release the lock in Redis by hand, or restart the client.',
    later: () => 'Take the lock in Redis before the monitor everywhere, or use tryLock with a time limit.',
  },
};
