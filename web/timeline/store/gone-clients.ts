import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { clientsBody } from '../../../shared/wire/clients.ts';
import type { Lock } from '../../../shared/wire/locks/lock.ts';
import { getJson } from '../../data/http/http.ts';

/** The part of the timeline that remembers which clients are gone. */
type Known = {
  readonly goneSince: Map<string, RedisTime>;
  noteGone(gone: ReadonlyMap<string, RedisTime>): void;
};

/** Asks the server for the clients that are gone (up to 1,000), so that their past holds are drawn as orphaned. */
export async function readGone(timeline: Known, signal: AbortSignal): Promise<void> {
  const { clients } = await getJson<typeof clientsBody>('/api/clients?presence=gone&limit=1000', signal);
  timeline.noteGone(new Map(clients.flatMap(({ client, goneSince }) => pairOf(client, goneSince))));
}

/** Notes which holders of the current locks are gone and since when, and which are not. */
export function noteGone(timeline: Known, locks: Iterable<Pick<Lock, 'holders'>>): void {
  const gone = new Map<string, RedisTime>();
  /** Clients that some lock shows as not gone: a client that is gone from one server may be connected to another. */
  const elsewhere = new Set<string>();
  for (const { holders } of locks) {
    for (const { presence, client, goneSince } of holders) {
      if (presence !== 'gone') elsewhere.add(client);
      for (const [, since] of pairOf(client, goneSince)) gone.set(client, since);
    }
  }
  for (const client of elsewhere) {
    gone.delete(client);
    timeline.goneSince.delete(client);
  }
  if (gone.size > 0) timeline.noteGone(gone);
}

function pairOf(client: string, goneSince: number | null): [string, RedisTime][] {
  return goneSince === null ? [] : [[client, redisTime(goneSince)]];
}
