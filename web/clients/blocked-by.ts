import { wantedBy } from '../../shared/insights/attention.ts';
import type { ClientView } from '../../shared/wire/clients.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';

/**
 * What a client blocks: how many threads wait for how many of its locks. `isAtLeast`: for some of these locks, only
 * listeners are known.
 */
export type Blocked = { readonly threads: number; readonly locks: number; readonly isAtLeast: boolean };

/** How many threads wait for a hold of a client now. */
export function waitingFor(hold: Pick<ClientView['holds'][number], 'id'>, locks: ReadonlyMap<string, Lock>): number {
  const lock = locks.get(hold.id);
  return lock?.held ? wantedBy(lock) : 0;
}

/** Returns what a client blocks now, by the current locks. */
export function blockedBy({ holds }: Pick<ClientView, 'holds'>, locks: ReadonlyMap<string, Lock>): Blocked {
  const ids = [...new Set(holds.map(({ id }) => id))];
  const blocking = ids.filter((id) => waitingFor({ id }, locks) > 0);
  return {
    threads: blocking.reduce((sum, id) => sum + waitingFor({ id }, locks), 0),
    locks: blocking.length,
    isAtLeast: blocking.some((id) => locks.get(id)?.waiters.length === 0),
  };
}

/** The clients that block most threads first; all other clients stay in their order. */
export function byBlocked<C extends Pick<ClientView, 'holds'>>(
  clients: readonly C[],
  locks: ReadonlyMap<string, Lock>,
): readonly C[] {
  const threads = new Map(clients.map((client) => [client, blockedBy(client, locks).threads]));
  return clients.toSorted((a, b) => (threads.get(b) ?? 0) - (threads.get(a) ?? 0));
}
