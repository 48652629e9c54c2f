import { plusMillis, type RedisTime } from '../base/time.ts';
import { parseHolder } from '../events/names/names.ts';
import { type DumpThread, FIRST_WITH_VIRTUAL, type ThreadDump } from './thread-dump.ts';

/** A dump and the client whose threads it lists. */
export type ClientDump = {
  /** The id of the dump in Lockscope. */
  readonly id: string;
  /** The uuid of the client. */
  readonly client: string;
  /** When the dump was taken, as Redis time; null: not known. */
  readonly takenAt: RedisTime | null;
  readonly dump: ThreadDump;
  readonly threads: ReadonlyMap<number, DumpThread>;
  /** The threads that wait for a thread of the same JVM, without a time limit. */
  readonly blocked: readonly DumpThread[];
};

/** The dumps that are known, by client: the newest of each. */
export type ClientDumps = ReadonlyMap<string, ClientDump>;

/**
 * What a dump shows about a holder or waiter. `thread`: the thread. `missing`: the dump lists every thread, and none
 * has this id. `unlisted`: no listed thread has this id, but the dump may lack threads. `no-id`: the holder id has no
 * number that a thread of Java can have.
 */
type ThreadSight =
  | { readonly found: 'thread'; readonly thread: DumpThread }
  | { readonly found: 'missing' | 'unlisted' | 'no-id' };

/** Java numbers its threads from 1: a larger number was made up by the application. */
const MOST_ID = 1_000_000_000;

/** The id of the thread in `uuid:thread`; null if no thread of Java can have it. */
export function javaIdOf(holder: string): number | null {
  const id = Number(parseHolder(holder)?.thread ?? '0');
  return id >= 1 && id <= MOST_ID ? id : null;
}

/** What a dump of its client shows about a holder or waiter. */
export function threadSight({ dump, threads }: Pick<ClientDump, 'dump' | 'threads'>, holder: string): ThreadSight {
  const id = javaIdOf(holder);
  if (id === null) return { found: 'no-id' };
  const thread = threads.get(id);
  if (thread) return { found: 'thread', thread };
  return { found: listsEveryThread(dump) ? 'missing' : 'unlisted' };
}

/**
 * Whether a thread that the dump does not list did not exist. This is known if the end of the dump was seen, and if its
 * Java is older than 19, or is 21 or newer and the dump lists virtual threads. (A JVM with
 * `-Djdk.trackAllThreads=false` leaves some out all the same.)
 */
export function listsEveryThread({ isWhole, listsVirtual, javaVersion }: ThreadDump): boolean {
  if (!isWhole || javaVersion === null) return false;
  return javaVersion < FIRST_WITH_VIRTUAL || (listsVirtual && javaVersion >= FIRST_TRACKED);
}

/** The first version that tracks virtual threads unless `jdk.trackAllThreads` is false. */
const FIRST_TRACKED = 21;

/** The clocks of the JVM and of Redis may differ by this much. */
const CLOCKS_MS = 10_000;

/**
 * Whether a hold or wait certainly began before a dump was taken. If it has not ended since, the dump shows its thread.
 */
export function isBefore(since: RedisTime | null | undefined, takenAt: RedisTime | null): boolean {
  return since != null && takenAt !== null && since <= plusMillis(takenAt, -CLOCKS_MS);
}

/** The threads of a dump by their Java ids, and those that wait for a thread of the same JVM. */
export function threadsOf({ threads }: ThreadDump): Pick<ClientDump, 'threads' | 'blocked'> {
  return {
    threads: new Map(threads.map((thread) => [thread.javaId, thread])),
    blocked: threads.filter((thread) => ownerAwaitedBy(thread) !== null),
  };
}

/**
 * The thread of the same JVM that a thread waits for, by its Java id. Null: none is known, or the wait has a time
 * limit, so it may have ended since.
 */
export function ownerAwaitedBy({ state, waitsFor }: DumpThread): number | null {
  return state === 'TIMED_WAITING' ? null : (waitsFor?.ownerId ?? null);
}
