import { byAttention, byText } from '../../../shared/insights/attention.ts';
import type { Lock } from '../../../shared/wire/locks/lock.ts';
import { personText, shortClient } from '../../../shared/wire/person-text.ts';
import { bestMatches, type Matches, rankOf } from './rank.ts';

/**
 * The most entries of each group in the list below the search field. `unasked`: the locks that are listed without a
 * text.
 */
const MOST = { locks: 8, holders: 4, clients: 3, unasked: 5 } as const;

/** A thread that holds locks or waits for some, and their number; `text` is how pages show it. */
type FoundHolder = { readonly id: string; readonly text: string; readonly locks: number };
/** A client with threads that hold locks or wait for some, and the number of all these holds and waits. */
type FoundClient = { readonly client: string; readonly text: string; readonly locks: number };

type FoundThings = {
  readonly locks: Matches<Lock>;
  readonly holders: Matches<FoundHolder>;
  readonly clients: Matches<FoundClient>;
};

const NONE = { best: [], more: 0 } as const;

/**
 * Finds locks, holders and clients whose names or ids contain a text, ignoring case. Waiters are found in the same way
 * as holders. Without a text, returns held locks only, those that need attention first.
 */
export function findThings(locks: Iterable<Lock>, text: string): FoundThings {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') {
    const wantsAttention = (lock: Lock) => (lock.held ? 0 : null);
    const { best } = bestMatches(locks, wantsAttention, MOST.unasked, byAttention);
    return { locks: { best, more: 0 }, holders: NONE, clients: NONE };
  }
  const all = [...locks];
  const { holders, clients } = peopleOf(all);
  return {
    locks: bestMatches(all, ({ name }) => rankOf(name, wanted), MOST.locks, byAttention),
    holders: bestMatches(holders, ({ id, text }) => rankOf(text, wanted) ?? rankOf(id, wanted), MOST.holders, byLocks),
    clients: bestMatches(
      clients,
      ({ client, text }) => rankOf(text, wanted) ?? rankOf(client, wanted),
      MOST.clients,
      byLocks,
    ),
  };
}

function byLocks(a: { locks: number; text: string }, b: { locks: number; text: string }): number {
  return b.locks - a.locks || byText(a.text, b.text);
}

/**
 * The threads and clients that hold locks or wait for some. A thread that is its own client is listed as a holder only.
 */
function peopleOf(locks: readonly Lock[]): { holders: FoundHolder[]; clients: FoundClient[] } {
  const holders = new Map<string, FoundHolder>();
  const clients = new Map<string, FoundClient>();
  for (const { holders: holding, waiters } of locks) {
    const counted = new Set<string>();
    for (const { id, client, thread, name } of [...holding, ...waiters]) {
      const text = personText(client, thread, name);
      // a thread may hold a lock for reading and for writing
      holders.set(id, { id, text, locks: (holders.get(id)?.locks ?? 0) + (counted.has(id) ? 0 : 1) });
      counted.add(id);
      if (thread === null) continue;
      const known = name || shortClient(client);
      clients.set(client, { client, text: known, locks: (clients.get(client)?.locks ?? 0) + 1 });
    }
  }
  return { holders: [...holders.values()], clients: [...clients.values()] };
}
