import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { clientsBody } from '../../../shared/wire/clients.ts';
import type { Lock } from '../../../shared/wire/lock.ts';
import { getJson } from '../../data/http.ts';
import type { TimelineStore } from '../store/timeline-store.ts';

/** Asks the server for every client that is gone, so that past holds of theirs are torn as well. */
export async function readGone(timeline: TimelineStore, signal: AbortSignal): Promise<void> {
  const { clients } = await getJson('/api/clients?presence=gone&limit=1000', clientsBody, signal);
  timeline.noteGone(new Map(clients.flatMap(({ client, goneSince }) => pairOf(client, goneSince))));
}

/** Takes from the present locks which holders are gone since when, and which are not. */
export function noteGone(timeline: TimelineStore, locks: Iterable<Pick<Lock, 'holders'>>): void {
  const gone = new Map<string, RedisTime>();
  /** Of several servers, one that a client has left tells nothing while another may still have it. */
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
