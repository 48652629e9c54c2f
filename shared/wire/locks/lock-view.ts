import { plusMillis, type RedisTime, redisTime } from '../../base/time.ts';
import { clientOf, parseHolder } from '../../events/names/names.ts';
import { type AttentionPlace, areListenersWaiting, needOf } from '../../insights/attention.ts';
import { clientOfHold } from '../../insights/client-sight.ts';
import { isDeadWaiter } from '../../insights/dead-waiters.ts';
import { watchdogOf } from '../../insights/renewals.ts';
import type { ClientStates } from '../../state/client-states.ts';
import { holdEnd } from '../../state/hold-end.ts';
import { type HolderState, idOf, isHeld, type LockState, type WaiterState } from '../../state/lock-state.ts';
import { lossOf } from '../../state/lost-keys.ts';
import { refusedAgain } from '../../state/notes/refused-again.ts';
import { stillBelieves } from '../../state/rules/believer-rules.ts';
import type { Believer, Holder, Lock, Waiter } from './lock.ts';

/** What CLIENT LIST shows about the connections of one client (uuid). */
type ClientPresence = Pick<Holder, 'name' | 'presence' | 'goneSince' | 'address'>;
export type PresenceOf = (source: string, client: string) => ClientPresence;

/** The presence of a client that no CLIENT LIST has shown. */
export const UNKNOWN: ClientPresence = { name: null, presence: 'unknown', goneSince: null };
export const UNKNOWN_PRESENCE: PresenceOf = () => UNKNOWN;

/** Returns the presence of clients from `ClientStates`, now or as of `at`. */
export function presenceIn(clientStates: ClientStates, at?: RedisTime): PresenceOf {
  return (source, client) => {
    const state = clientStates.find(source, client, at);
    if (!state) return UNKNOWN;
    const { name, presence, since, addresses } = state;
    const address = addresses[0] === undefined ? undefined : { address: addresses[0] };
    return { name, presence, goneSince: presence === 'gone' ? since : null, ...address };
  };
}

/** The letter of a holder or waiter whose events contained none. */
const NO_LETTER = '';

/** How long a waiter that is presumed gone is still shown, if it is not in a queue. */
const GONE_SHOWN_MS = 60_000;

/** Returns a lock in the form for the page and the HTTP API, as of `now`. */
export function lockView(lock: LockState, now: RedisTime, presenceOf: PresenceOf): Lock {
  const lost = lossOf(lock);
  const again = refusedAgain(lock.waiters, now);
  return {
    id: idOf(lock),
    source: lock.source,
    db: lock.db,
    name: lock.name,
    kind: lock.kind,
    ...(lock.isKindKnown ? {} : { kindKnown: false }),
    ...(lock.evidence && { evidence: [...lock.evidence] }),
    library: lock.library ?? 'unknown',
    ...(lock.clientVersion === null ? {} : { clientVersion: lock.clientVersion }),
    held: isHeld(lock),
    ...(lock.holderUnseen ? { holderUnseen: true } : undefined),
    holders: lock.holders.map((holder) => holderView(lock, holder, now, presenceOf)),
    ...(lock.holdersBeyond === 0 ? undefined : { moreHolders: lock.holdersBeyond }),
    ...believersOf(lock, now, presenceOf),
    waiters: lock.waiters
      .filter((waiter) => isShown(waiter, now))
      .map((waiter) => waiterView(lock, waiter, presenceOf)),
    ...(lock.waitersBeyond === 0 ? undefined : { moreWaiters: lock.waitersBeyond }),
    subscribers: lock.subscribers,
    ...(lock.listenedSince === undefined ? undefined : { listenedSince: lock.listenedSince }),
    lease: { ms: lock.leaseMs, expiresAt: lock.expiresAt, ...(lock.neverEnds ? { neverEnds: true } : undefined) },
    ...(lost ? { lost } : undefined),
    ...(lock.fencingToken === null ? {} : { fencingToken: lock.fencingToken }),
    ...(lock.permits === null ? {} : { permits: lock.permits }),
    ...(lock.latch === null ? {} : { latch: lock.latch }),
    certainty: lock.holderUnseen ? 'inferred' : lock.certainty,
    ...(lock.handovers === undefined ? undefined : { handovers: lock.handovers }),
    ...(again === undefined ? undefined : { refusedAgain: again }),
    changedAt: lock.changedAt,
  };
}

/** The place of a lock in the order of attention. `until`: when it changes without an event; undefined: it does not. */
export type PlacedLock = AttentionPlace & { readonly lock: LockState; readonly until: RedisTime | undefined };

/** The place that the view of the lock has, without computing the view. */
export function placedLock(lock: LockState, now: RedisTime, presenceOf: PresenceOf): PlacedLock {
  const held = isHeld(lock);
  const shown = lock.waiters.filter((waiter) => isShown(waiter, now));
  const areWaiting = areListenersWaiting({ kind: lock.kind, held, permits: lock.permits, lost: lossOf(lock) });
  const wanted = Math.max(shown.length + lock.waitersBeyond, areWaiting ? (lock.subscribers ?? 0) : 0);
  const hasGone = held && lock.holders.some((holder) => presenceOfHold(lock, holder, presenceOf).presence === 'gone');
  const ends = shown.flatMap(({ position, presumedGoneAt: at }) =>
    position !== null || at === null ? [] : [plusMillis(at, GONE_SHOWN_MS)],
  );
  const until = ends.length === 0 ? undefined : redisTime(Math.min(...ends));
  return { id: idOf(lock), name: lock.name, need: needOf(hasGone, wanted, held), wanted, lock, until };
}

function presenceOfHold({ source }: LockState, holder: HolderState, presenceOf: PresenceOf): ClientPresence {
  const ask = (client: string) => presenceOf(source, client);
  return ask(clientOfHold(holder, ask));
}

function holderView(lock: LockState, holder: HolderState, now: RedisTime, presenceOf: PresenceOf): Holder {
  const client = holder.client ?? clientOf(holder.id);
  return {
    id: holder.id,
    client,
    thread: parseHolder(holder.id)?.thread ?? null,
    ...presenceOfHold(lock, holder, presenceOf),
    letter: holder.letter ?? NO_LETTER,
    holdCount: holder.holdCount ?? 1,
    mode: holder.mode,
    since: holder.since,
    ...(holder.since === null && holder.firstAt !== undefined ? { firstSeenAt: holder.firstAt } : undefined),
    watchdog: holder.mode === 'permit' ? 'off' : watchdogOf(lock, holder, now),
    renewals: holder.renewals,
    lastRenewedAt: holder.lastRenewedAt,
    expiresAt: holdEnd(lock, holder),
    ...(holder.timeouts === undefined ? undefined : { timeouts: [...holder.timeouts] }),
    ...(holder.values === undefined ? undefined : { values: [...holder.values] }),
    ...(holder.group === undefined ? undefined : { group: holder.group }),
  };
}

/** The believers of a lock whose lease would not have ended yet. */
function believersOf(lock: LockState, now: RedisTime, presenceOf: PresenceOf): { believers?: Believer[] } {
  const still = lock.believers.filter((believer) => stillBelieves(believer, now));
  if (still.length === 0) return {};
  return {
    believers: still.map(({ lostSeq: _seq, group: _group, ...believer }) => {
      const client = clientOf(believer.id);
      const thread = parseHolder(believer.id)?.thread ?? null;
      const letter = believer.letter ?? NO_LETTER;
      return { ...believer, client, thread, ...presenceOf(lock.source, client), letter };
    }),
  };
}

function waiterView(lock: LockState, waiter: WaiterState, presenceOf: PresenceOf): Waiter {
  const client = clientOf(waiter.id);
  const { name, presence, goneSince } = presenceOf(lock.source, client);
  return {
    id: waiter.id,
    client,
    thread: parseHolder(waiter.id)?.thread ?? null,
    name,
    letter: waiter.letter ?? NO_LETTER,
    mode: waiter.mode,
    since: waiter.since,
    ...(waiter.isOlder ? { isAtLeast: waiter.isOlder } : undefined),
    attempts: waiter.attempts,
    asleep: waiter.isAsleep,
    position: waiter.position,
    deadline: waiter.deadline,
    presumedGone: isDeadWaiter(waiter, presence),
    ...(goneSince === null ? undefined : { goneSince }),
    ...(waiter.group === undefined ? undefined : { group: waiter.group }),
  };
}

function isShown(waiter: WaiterState, now: RedisTime): boolean {
  if (waiter.position !== null) return true; // even a dead entry blocks the waiters behind it
  if (waiter.presumedGoneAt !== null) return plusMillis(waiter.presumedGoneAt, GONE_SHOWN_MS) > now;
  return waiter.isConfirmed;
}
