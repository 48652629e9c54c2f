import type { RedisTime } from '../../../base/time.ts';
import type { ClientDump, ClientDumps } from '../../../dumps/client-dump.ts';
import type { JvmWait } from '../../../dumps/thread-dump.ts';
import type { WaitCircles, WantedLock } from '../../wait-circles.ts';

/** Monitors and locks inside JVMs that threads wait for, by keys that no lock in Redis has. */
export type JvmWaits = ReadonlyMap<
  string,
  { readonly dump: ClientDump & { readonly takenAt: RedisTime }; readonly wait: JvmWait }
>;

/** The name of the clock of all JVMs. A lock in Redis has the clock of its source. */
const JVM = 'jvm';

/**
 * Adds to a search for circles what threads wait for inside their JVM, by the dumps taken until `now`. Returns these
 * waits.
 */
export function addJvmWaits(circles: WaitCircles, dumps: ClientDumps, now: RedisTime): JvmWaits {
  const known: Map<string, { dump: ClientDump & { readonly takenAt: RedisTime }; wait: JvmWait }> = new Map();
  for (const each of dumps.values()) {
    const { takenAt } = each;
    if (takenAt === null || takenAt > now) continue;
    for (const [id, { wait, waiters }] of waitsIn(each)) {
      const key = `jvm ${each.client} ${id}`; // the key of a lock in Redis has a slash
      known.set(key, { dump: { ...each, takenAt }, wait });
      circles.take(key, monitorOf(each.client, { wait, waiters }, takenAt), JVM);
    }
  }
  return known;
}

type Wanted = { readonly wait: JvmWait; readonly waiters: number[] };

function waitsIn({ blocked }: ClientDump): Map<string, Wanted> {
  const wanted = new Map<string, Wanted>();
  for (const { javaId, waitsFor } of blocked) {
    if (waitsFor?.ownerId == null) continue;
    const id = `${waitsFor.kind} ${waitsFor.ownerId} ${waitsFor.id}`;
    const known = wanted.get(id);
    if (known) known.waiters.push(javaId);
    else wanted.set(id, { wait: waitsFor, waiters: [javaId] });
  }
  return wanted;
}

function monitorOf(client: string, { wait, waiters }: Wanted, since: RedisTime): WantedLock {
  return {
    holders: [{ id: `${client}:${wait.ownerId}`, mode: 'exclusive' }],
    holdersBeyond: 0,
    waiters: waiters.map((id) => ({ id: `${client}:${id}`, since, isAsleep: true, presumedGoneAt: null })),
  };
}
