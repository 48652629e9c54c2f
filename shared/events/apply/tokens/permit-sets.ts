import { millisBetween, plusMillis, type RedisTime } from '../../../base/time.ts';
import type { ActionOf } from '../../action.ts';
import type { Context, Origin } from '../../context.ts';
import { SIDEKIQ_UNIQUE_JOBS } from '../../libraries/unique-jobs.ts';
import type { Counter } from '../../mirror/counter.ts';
import type { LockKey } from '../../mirror/lock-key.ts';
import { tokenMirrorOf } from '../../mirror/tokens/token-memory.ts';
import type { Appliers } from '../appliers.ts';
import { counterKey, counterOf, numbersOf } from '../counters/counters.ts';
import { PERMITS } from '../counters/permits.ts';
import { reportListed } from '../reads/found-permit-ids.ts';
import { endCounterIfOver, loseCounter } from '../reads/lose-counter.ts';

/**
 * Actions of semaphores that are a sorted set or a hash: each member is a permit, and no key has the number of free
 * ones.
 */
export const PERMIT_SETS: Appliers<
  'lease-permits' | 'refuse-lease' | 'remove-members' | 'hold-member' | 'refuse-member' | 'miss-member' | 'drop-members'
> = {
  'lease-permits': lease,
  'refuse-lease': refuse,
  'remove-members': remove,
  'hold-member': hold,
  'refuse-member': refuseMember,
  'miss-member': miss,
  'drop-members': drop,
};

type Lease = ActionOf<'lease-permits'>;
type Leasing = Lease | ActionOf<'refuse-lease'>;
type SetFields = Pick<Leasing, 'lock' | 'at' | 'library' | 'isProven'>;

const KIND = 'expirable-semaphore';

function semaphore({ name }: LockKey) {
  return { lock: name, kind: KIND, isProven: true } as const;
}

/** The key of a set whose members are permits; undefined if it may be any other sorted set, or is another lock. */
function setOf(to: Context, { lock, at, library, isProven }: SetFields, { db }: Origin): LockKey | undefined {
  const known = to.keys.find(db, lock);
  if (!known?.mirrors?.counter?.isSet && (!isProven || known)) return undefined;
  const isSinceGap = known?.watchEpoch !== to.watchEpoch;
  const key = counterKey(to, db, lock, KIND, at);
  const counter = counterOf(key);
  counter.isSet = true;
  if (isSinceGap) {
    counter.seen = known ? 'stale' : undefined;
    counter.seenFrom = undefined;
  }
  const mirror = tokenMirrorOf(key);
  if (library !== undefined) mirror.library = library;
  if (library !== undefined) mirror.isSure = true;
  return key;
}

function lease(to: Context, action: Lease, from: Origin): void {
  const key = setOf(to, action, from);
  if (!key) return;
  const { at, ids, score, bound, limit } = action;
  if (!action.isOnlyRenewal) reclaim(to, key, action, from);
  const counter = counterOf(key);
  const { deadlines, members } = withMembers(counter);
  const expiresAt = plusMillis(at, millisBetween(bound, score));
  const isRenewal = ids.every((id) => deadlines.has(id));
  if (action.isOnlyRenewal && !isRenewal) return;
  if (!action.isOnlyRenewal) noteSeen(counter, action, isRenewal ? 0 : ids.length);
  if (isRenewal) for (const id of ids) members.set(id, { score, limit });
  count(counter, limit, isRenewal ? [] : ids);
  const common = { at, deadlines: ids.map((id) => ({ id, expiresAt })), ...semaphore(key) };
  if (isRenewal) PERMITS['renew-permits'](to, { ...common, do: 'renew-permits' }, from);
  else PERMITS['take-permits'](to, { ...common, do: 'take-permits', permits: ids.length }, from);
  for (const id of ids) if (deadlines.has(id)) members.set(id, { score, limit });
  if (action.isOnlyRenewal && action.keyEnds === undefined) return;
  key.expiresAt = action.keyEnds ?? expiresAt; // the script of each library lets the key end with the newest lease
}

function refuse(to: Context, action: ActionOf<'refuse-lease'>, from: Origin): void {
  const key = setOf(to, action, from);
  if (!key) return;
  const { at, permits, renewed, limit } = action;
  reclaim(to, key, action, from);
  const counter = counterOf(key);
  noteSeen(counter, action, 0);
  count(counter, limit);
  if (renewed === undefined) {
    PERMITS['refuse-permits'](to, { at, permits, ...semaphore(key), do: 'refuse-permits' }, from);
    return;
  }
  const reason = counter.expired.has(renewed) ? 'expired' : 'no-lock';
  const about = { db: key.db, lock: key.name, kind: key.kind, at, by: from.by };
  to.emit(about, { type: 'renewal.refused', holder: renewed, mode: 'permit', reason });
}

function withMembers(counter: Counter) {
  const { deadlines } = counter;
  counter.members ??= new Map();
  return { deadlines, members: counter.members };
}

/**
 * Notes whether every member of the set was seen. A member from before watching began has a score that is at most the
 * one that the first script set. So it is gone once a script removes all members up to that score. If a client acquired
 * the last permit that it allows, all members are known too.
 *
 *   first script ── score 100 ──────────────── bound 100: all older ones are removed ──▶ all seen
 */
function noteSeen(counter: Counter, action: Leasing, taken: number): void {
  const { bound, limit } = action;
  const { deadlines, seenFrom } = counter;
  const beyond = taken === 0 || limit === undefined ? undefined : deadlines.size + taken - limit;
  // the script gives out no permit beyond the limit, so some of the members must have been removed
  if (beyond !== undefined && beyond > 0) counter.seen = 'stale';
  else if (seenFrom !== undefined && bound >= seenFrom) counter.seen = 'all';
  else if (beyond === 0 && counter.seen !== 'stale') counter.seen = 'all';
  if (action.do === 'lease-permits') counter.seenFrom ??= action.score;
}

/**
 * Sets `total` and `value` as they are before the permits `taken` are acquired. `own`: the total that the client of the
 * script allows. If clients allow different totals, the smallest one of the clients with a permit counts, so more
 * permits than `total` may be acquired.
 */
export function count(counter: Counter, own: number | undefined, taken: readonly string[] = []): void {
  const { deadlines, members } = withMembers(counter);
  const limits = [...members.values()].flatMap(({ limit }) => limit ?? []);
  if (own !== undefined && (taken.length > 0 || limits.length === 0)) limits.push(own);
  counter.total = limits.length === 0 ? undefined : Math.min(...limits);
  counter.value = counter.seen === 'all' && counter.total !== undefined ? counter.total - deadlines.size : undefined;
}

/** Takes back the permits whose lease is over by the clock of the script's client: every script removes them first. */
function reclaim(to: Context, key: LockKey, { at, bound }: { at: RedisTime; bound: RedisTime }, from: Origin): void {
  const counter = counterOf(key);
  const { members } = withMembers(counter);
  const ids = [...members].flatMap(([id, { score }]) => (score <= bound ? [id] : []));
  if (ids.length === 0) return;
  for (const id of ids) members.delete(id);
  returnPermits(to, key, { at, ids, isReclaim: true }, from);
}

/** Applies a removal by the client: a permit that had expired was removed earlier, any other still existed. */
function remove(to: Context, { at, lock, ids }: ActionOf<'remove-members'>, from: Origin): void {
  const key = to.keys.find(from.db, lock);
  const { isSet, deadlines, expired, members } = key?.mirrors?.counter ?? {};
  if (!key || !isSet || !deadlines || !expired) return;
  const known = ids.filter((id) => deadlines.has(id));
  for (const id of ids) {
    if (expired.has(id) && !deadlines.has(id)) {
      PERMITS['refuse-permit-release'](to, { at, id, ...semaphore(key), do: 'refuse-permit-release' }, from);
    }
  }
  if (known.length === 0) return;
  for (const id of known) members?.delete(id);
  returnPermits(to, key, { at, ids: known }, from);
}

function returnPermits(
  to: Context,
  key: LockKey,
  back: { at: RedisTime; ids: readonly string[]; isReclaim?: true },
  from: Origin,
): void {
  const counter = counterOf(key);
  const { total } = counter;
  count(counter, total);
  const permits = back.ids.length;
  PERMITS['give-permits'](to, { ...back, permits, ...semaphore(key), do: 'give-permits' }, from);
  if (counter.deadlines.size > 0) return;
  // Redis deletes a set without members, so it no longer has an end
  counter.isThere = false;
  key.expiresAt = undefined;
}

/**
 * The mirror of a hash of sidekiq-unique-jobs, whose fields are the ids of jobs. It is added if it is not known yet.
 */
export function hashOf(to: Context, { lock, at }: { readonly lock: string; readonly at: RedisTime }, from: Origin) {
  return setOf(to, { lock, at, library: SIDEKIQ_UNIQUE_JOBS, isProven: true }, from);
}

/** A hash of jobs has one lease, which each job with a lease sets again for all jobs. */
function hold(to: Context, action: ActionOf<'hold-member'>, from: Origin): void {
  const key = hashOf(to, action, from);
  if (!key) return;
  const { at, member, lease: set, limit } = action;
  const counter = counterOf(key);
  const { deadlines, members } = withMembers(counter);
  const beyond = limit === undefined ? undefined : deadlines.size + 1 - limit;
  // the script gives out no permit beyond the limit, so the only holder is gone unseen
  const isReplaced = limit === 1 && deadlines.size > 0;
  if (isReplaced) deadlines.clear();
  if (beyond !== undefined && beyond > 0 && !isReplaced) counter.seen = 'stale';
  else if (isReplaced || (beyond === 0 && counter.seen !== 'stale')) counter.seen = 'all';
  const others = [...deadlines.keys()];
  const end = set ? plusMillis(set.setAt, set.ms) : others.length > 0 ? (key.expiresAt ?? null) : null;
  const common = { at, ...semaphore(key) };
  members.set(member, { score: at, limit });
  count(counter, limit);
  const taken = { permits: 1, deadlines: [{ id: member, expiresAt: end }], taker: member } as const;
  PERMITS['take-permits'](to, { ...common, ...taken, do: 'take-permits' }, from);
  const moved = set ? others.map((id) => ({ id, expiresAt: end })) : [];
  if (moved.length > 0) PERMITS['renew-permits'](to, { ...common, deadlines: moved, do: 'renew-permits' }, from);
  if (isReplaced) reportListed(to, { db: key.db, lock: key.name, kind: KIND, at, certainty: 'inferred' }, counter);
  key.expiresAt = end;
}

/** A job that is refused is dropped, or tried again later by another client: it is not a waiter. */
function refuseMember(to: Context, action: ActionOf<'refuse-member'>, from: Origin): void {
  const { at, lock, member, limit, mayHoldPermit } = action;
  const key = hashOf(to, action, from);
  if (!key) return;
  const counter = counterOf(key);
  if (counter.deadlines.has(member) || (mayHoldPermit && counter.deadlines.size === 0)) return;
  counter.isThere = true;
  count(counter, limit);
  const about = { db: key.db, lock, kind: key.kind, at, by: from.by };
  to.emit(about, { type: 'permits.refused', permits: 1, ...numbersOf(counter) });
}

function miss(to: Context, { at, lock, member }: ActionOf<'miss-member'>, from: Origin): void {
  const key = to.keys.find(from.db, lock);
  const { isSet, deadlines, expired } = key?.mirrors?.counter ?? {};
  if (!key || !isSet || !(deadlines?.has(member) || expired?.has(member))) return;
  PERMITS['refuse-permit-release'](to, { at, id: member, ...semaphore(key), do: 'refuse-permit-release' }, from);
}

function drop(to: Context, { at, lock, member }: ActionOf<'drop-members'>, from: Origin): void {
  const key = to.keys.find(from.db, lock);
  const { isSet, deadlines } = key?.mirrors?.counter ?? {};
  if (!key || !isSet || !deadlines) return;
  endCounterIfOver(to, key, at);
  if (deadlines.has(member)) remove(to, { at, do: 'remove-members', lock, ids: [member] }, from);
  else miss(to, { at, do: 'miss-member', lock, member }, from);
  const others = key.mirrors?.counter?.deadlines.size ?? 0;
  if (others > 0) loseCounter(to, key, { type: 'lock.deleted', at, command: 'UNLINK', by: from.by });
}
