import type { RedisTime } from '../../../shared/base/time.ts';
import { clientOf } from '../../../shared/events/names/names.ts';
import { byText } from '../../../shared/insights/attention.ts';
import { clientOfHold, sightOf } from '../../../shared/insights/client-sight.ts';
import { type ClientState, type ClientStates, keyOf } from '../../../shared/state/client-states.ts';
import { idOf, type LockState, lockIdOf } from '../../../shared/state/lock-state.ts';
import type { World } from '../../../shared/state/world.ts';
import type { ClientView } from '../../../shared/wire/clients.ts';
import type { Sliced } from '../slices/in-slices.ts';
import { sortedInSteps } from '../slices/sorted.ts';

/** Which clients are requested; a field that is left out matches all. A page skips the first `from` of them. */
export type ClientPageQuery = {
  readonly at?: RedisTime | undefined;
  readonly source?: string | undefined;
  readonly client?: string | undefined;
  readonly presence?: ClientView['presence'] | undefined;
  readonly from: number;
  readonly limit: number;
};
export type ClientPage = { readonly clients: ClientView[]; readonly total: number };

/** How many holds, and how many waits, of one client are listed. */
const MOST_LISTED = 100;
const STEP = 500;

/** Clients that CLIENT LIST showed, and clients with a hold or wait in `locks`. Gone clients with holds come first. */
export function* clientPage(
  clientStates: ClientStates,
  locks: Iterable<LockState>,
  query: ClientPageQuery,
): Sliced<ClientPage> {
  const found = new Map<string, ClientView>();
  const isWanted = (source: string, client: string) =>
    (query.source ?? source) === source && (query.client ?? client) === client;
  const take = (source: string, client: string): ClientView | undefined => {
    if (!isWanted(source, client)) return undefined;
    const key = keyOf(source, client);
    const view = found.get(key) ?? viewOf(source, client, clientStates.find(source, client, query.at));
    found.set(key, view);
    return view;
  };
  for (const { source, client } of clientStates.clients(query.at)) take(source, client);
  yield;
  let n = 0;
  for (const lock of locks) {
    for (const holder of lock.holders) {
      const view = take(
        lock.source,
        clientOfHold(holder, (client) => sightOf(clientStates.find(lock.source, client, query.at))),
      );
      if (view) list(view, 'holds', { ...about(lock, holder), holdCount: holder.holdCount });
    }
    for (const waiter of lock.waiters) {
      const view = waiter.isConfirmed ? take(lock.source, clientOf(waiter.id)) : undefined;
      if (!view) continue;
      list(view, 'waits', { ...about(lock, waiter), attempts: waiter.attempts, position: waiter.position });
    }
    if (++n % STEP === 0) yield;
  }
  const wanted = [...found.values()].filter(({ presence }) => (query.presence ?? presence) === presence);
  const sorted = yield* sortedInSteps(wanted, byNeed);
  return { clients: sorted.slice(query.from, query.from + query.limit), total: wanted.length };
}

function viewOf(source: string, client: string, state: ClientState | undefined): ClientView {
  const none = { holds: [], waits: [] };
  if (!state) {
    const unknown = { name: null, library: null, version: null, since: null, goneSince: null } as const;
    return { client, source, ...unknown, presence: 'unknown', addresses: [], ...none };
  }
  const { name, library, version, presence, since, addresses } = state;
  const goneSince = presence === 'gone' ? since : null;
  return { client, source, name, library, version, presence, since, goneSince, addresses: [...addresses], ...none };
}

function about({ source, db, name }: LockState, { id, mode, since }: LockState['holders' | 'waiters'][number]) {
  return { id: lockIdOf({ source, db, lock: name }), db, lock: name, holder: id, mode, since };
}

const MORE = { holds: 'moreHolds', waits: 'moreWaits' } as const;

function list<Part extends 'holds' | 'waits'>(view: ClientView, part: Part, entry: ClientView[Part][number]): void {
  const entries: ClientView[Part][number][] = view[part];
  if (entries.length < MOST_LISTED) entries.push(entry);
  else view[MORE[part]] = (view[MORE[part]] ?? 0) + 1;
}

/** First clients that are gone and hold something, then those with the most holds, then those with the most waits. */
function byNeed(a: ClientView, b: ClientView): number {
  const isOrphan = ({ presence, holds }: ClientView) => Number(presence === 'gone' && holds.length > 0);
  return (
    isOrphan(b) - isOrphan(a) ||
    b.holds.length - a.holds.length ||
    b.waits.length - a.waits.length ||
    byText(a.client, b.client) ||
    byText(a.source, b.source)
  );
}

/** Ids of the locks that one of these clients holds or waits for, or thinks it holds. */
export function locksOf(world: World, clients: ReadonlySet<string>): string[] {
  const found: string[] = [];
  for (const lock of world.busy()) {
    const isOfClients = ({ id }: { id: string }) => clients.has(keyOf(lock.source, clientOf(id)));
    if (lock.holders.some(isOfClients) || lock.waiters.some(isOfClients) || lock.believers.some(isOfClients)) {
      found.push(idOf(lock));
    }
  }
  return found;
}
