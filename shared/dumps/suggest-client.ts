import type { RedisTime } from '../base/time.ts';
import { type ClientDump, isBefore, javaIdOf, listsEveryThread } from './client-dump.ts';
import { isWaitingInRedisson } from './frames.ts';

/** A client as Redis shows it: the holder ids of its waiting threads, and since when each waits. */
export type SeenClient = {
  readonly client: string;
  readonly waits: readonly { readonly holder: string; readonly since: RedisTime | null }[];
};

/** A dump whose client is not known. `waiting`: the number of its threads that wait inside a call of Redisson. */
type DumpToPlace = Pick<ClientDump, 'dump' | 'threads' | 'takenAt'> & { readonly waiting: number };

/**
 * The client that a dump belongs to, if its threads prove it; null: the person who added the dump has to be asked.
 *
 * A client fits under three conditions:
 * - at least one of its waiters is a thread of the dump that waits inside a call of Redisson;
 * - these are at least half of the threads of the dump that wait there;
 * - no waiter contradicts the dump: the thread does something else, or certainly did not exist.
 *
 * If the instant of the dump is known, only waiters that waited for at least 10 s then can contradict it. Two processes
 * of one application have equal thread ids, so the answer is null if several clients fit.
 */
export function suggestedClient(
  { dump, threads, takenAt, waiting }: DumpToPlace,
  clients: readonly SeenClient[],
): { readonly client: string; readonly waiters: number } | null {
  const fitting = clients.flatMap(({ client, waits }) => {
    let waiters = 0;
    for (const { holder, since } of waits) {
      const id = javaIdOf(holder);
      const thread = id === null ? undefined : threads.get(id);
      if (thread && isWaitingInRedisson(dump, thread)) waiters++;
      else if ((takenAt === null || isBefore(since, takenAt)) && id !== null && (thread || listsEveryThread(dump)))
        return [];
    }
    return waiters > 0 && waiters >= waiting / 2 ? [{ client, waiters }] : [];
  });
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}
