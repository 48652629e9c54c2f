import { type Millis, millisBetween, plusMillis, type RedisTime } from '../../../base/time.ts';
import type { Context } from '../../context.ts';
import type { Companions } from '../../kinds/companion.ts';
import { isLikeSpring } from '../../libraries/token-found.ts';
import { isTokenLike } from '../../libraries/token-libraries.ts';
import { isNextValue } from '../../libraries/value-form.ts';
import { type LockKey, SAME_END } from '../../mirror/lock-key.ts';
import { tokenMirrorOf } from '../../mirror/tokens/token-memory.ts';
import type { TokenMirror, Unreported } from '../../mirror/tokens/token-mirror.ts';
import type { Lease } from '../../types/lease.ts';
import type { KeyContent } from '../../types/watch-event.ts';
import { setEnd } from '../lease-set.ts';
import { isOver } from '../proof.ts';
import { acquire, miss, refuse, release, renew, type TokenCall } from '../tokens/token-hold.ts';
import { proveRenewals, settleRenewals } from './renewals.ts';

/** Used instead of the name of a library that is not known. */
const UNKNOWN = 'unknown';
/** Many other keys look like this library's locks, so only its scripts show that clients use it. */
const SPRING = 'spring-integration';

/**
 * The state that a recording begins with: the token, if known, the library, and whether it is certainly a lock. If the
 * holder wrote another value since, that value follows the token.
 */
export function expectedToken(key: LockKey): Companions | undefined {
  const mirror = key.mirrors?.tokens;
  if (key.kind !== 'token-lock' || !mirror) return undefined;
  const { alias } = mirror;
  const next = alias !== undefined && key.holders.has(alias.holder) ? [alias.value] : [];
  return {
    ...(mirror.isStateKnown ? { token: [...key.holders.keys(), ...next] } : {}),
    library: libraryWords(mirror),
  };
}

/** The library of a lock and whether it is certainly a lock, in the form of a read. */
export function libraryWords({ library, isSure }: { library: string | undefined; isSure: boolean }): string[] {
  return [library ?? UNKNOWN, ...(isSure ? ['sure'] : [])];
}

/** Whether these words name no library, and do not mark the key as certainly a lock. */
export function isGuessed(words: readonly string[] | undefined): boolean {
  return words?.length === 1 && words[0] === UNKNOWN;
}

/** Applies what a recording or a read contains in addition to the token, for example the library. */
export function applyFoundLibrary(to: Context, key: LockKey, found: Companions): void {
  if (key.kind !== 'token-lock') return;
  const mirror = tokenMirrorOf(key);
  if (found.token) mirror.isStateKnown = true;
  for (const holder of key.holders.keys()) mirror.granted.add(holder);
  const [holder = '', value] = found.token ?? [];
  if (value !== undefined && key.holders.has(holder)) mirror.alias = { value, holder };
  noteLibrary(to, key, found);
}

/** Stores the library of a lock. Called first, because every event contains the library. */
export function noteLibrary(to: Context, key: LockKey, found: Companions): void {
  if (key.kind !== 'token-lock') return;
  const mirror = tokenMirrorOf(key);
  const [library, evidence] = found.library ?? [];
  if (library !== undefined && library !== UNKNOWN) mirror.library = library;
  const [token = ''] = found.token ?? [];
  if (to.libraries.has(SPRING) && isLikeSpring(key.name, token)) mirror.library ??= SPRING;
  if (evidence === 'sure') mirror.isSure = true;
}

/** Reports attempts whose result was not known: the current holder shows it. */
export function settleAttempts(to: Context, key: LockKey, found: KeyContent | null, at: RedisTime): void {
  settleReplacement(to, key, found?.holders[0]?.holder, found?.expiresAt);
  settleRenewals(to, key, found);
  settle(to, key, { holder: found?.holders[0]?.holder, expiresAt: found?.expiresAt, at });
}

/**
 * Reports that a holder handed its lock over: its token was compared, and another value written in its place. A read
 * found that value, or the new holder renewed or released the lock.
 */
function settleReplacement(
  to: Context,
  key: LockKey,
  holder: string | undefined,
  expiresAt?: RedisTime | null | undefined,
): void {
  const mirror = key.mirrors?.tokens;
  const { replacement } = mirror ?? {};
  if (!mirror || !replacement) return;
  mirror.replacement = undefined;
  const { token, compared, at, by, lease } = replacement;
  if (holder !== token || !key.holders.has(compared)) return;
  // with another end, the command changed nothing: a later attempt wrote the token
  if (lease && expiresAt !== undefined && !hasEnd(lease, expiresAt)) return;
  const call = { key, at, from: { db: key.db, by, released: undefined }, certainty: 'inferred' } as const;
  const later = mirror.unreported.filter((attempt) => attempt.at > at);
  if (isNextValue(compared, token)) {
    renew(to, { ...call, token: compared }, lease); // the holder wrote a newer time or count
    mirror.alias = { value: token, holder: compared };
    return;
  }
  release(to, { ...call, token: compared });
  acquire(to, { ...call, token }, lease);
  mirror.unreported.push(...later);
}

type SettledBy = {
  readonly holder: string | undefined;
  readonly expiresAt?: RedisTime | null | undefined;
  readonly at: RedisTime;
  /** The key was free before the first attempt. */
  readonly wasFree?: true;
};

function settle(to: Context, key: LockKey, { holder, expiresAt, at, wasFree }: SettledBy): void {
  const attempts = key.mirrors?.tokens?.unreported.splice(0) ?? [];
  if (holder === undefined || attempts.length === 0) return;
  const callOf = ({ token, at, by }: (typeof attempts)[number]) =>
    ({ key, token, at, from: { db: key.db, by, released: undefined }, certainty: 'inferred' }) as const;
  const isBefore = !wasFree && isHoldBefore(key, holder, expiresAt);
  const winner = wasFree ? 0 : isBefore ? -1 : winnerOf(attempts, holder, expiresAt);
  const isFirstHolder = hasFirstHeld(attempts, winner);
  const isWord = (token: string) => token === holder && !isTokenLike(token);
  attempts.forEach((attempt, n) => {
    if (n === winner || (n === 0 && isFirstHolder)) {
      acquire(to, { ...callOf(attempt), key }, attempt.lease);
      if (attempt.moved) setEnd(to, key, attempt.moved);
      tokenMirrorOf(key).mayBeOfOther = isWord(attempt.token) && expiresAt === null;
    } else if ((n > winner || isFirstHolder) && !isWord(attempt.token))
      refuseUnreported(to, attempt, { ...callOf(attempt), at: attempt.at < at ? attempt.at : at });
  });
}

/**
 * The place of the attempt that set the value.
 *
 * - A token: the attempt with this token whose lease ends closest to this end, otherwise the last one with this token.
 * - A word that all clients set: the first attempt whose lease has this end, or to which a later command gave this end.
 *   If the value has no end, the first attempt without a lease.
 * - -1: no attempt. The value was there before.
 */
function winnerOf(attempts: readonly Unreported[], holder: string, expiresAt: RedisTime | null | undefined): number {
  const isOwn = ({ token }: Unreported) => token === holder;
  const hasThisEnd = (attempt: Unreported) => isOwn(attempt) && hasEnd(attempt.lease, expiresAt);
  const connections = new Set(attempts.filter(isOwn).map(({ by }) => by));
  const isWord = !isTokenLike(holder) && (connections.size > 1 || attempts.every(isOwn));
  const byEnd = isWord ? attempts.findIndex(hasThisEnd) : nearestTo(expiresAt, attempts, isOwn);
  if (byEnd >= 0) return byEnd;
  if (!isWord) return attempts.findLastIndex(isOwn);
  if (expiresAt == null) return attempts.findIndex(({ lease }) => expiresAt === undefined || lease === null);
  return attempts.findIndex(({ moved }) => moved && Math.abs(millisBetween(moved.expiresAt, expiresAt)) <= SAME_END);
}

/** The place of the attempt whose lease ends closest to this end, the first of several; -1: no attempt has this end. */
function nearestTo(
  expiresAt: RedisTime | null | undefined,
  attempts: readonly Unreported[],
  isOwn: (attempt: Unreported) => boolean,
): number {
  if (expiresAt == null) return -1;
  const away = attempts.map((attempt) =>
    isOwn(attempt) && hasEnd(attempt.lease, expiresAt)
      ? Math.abs(millisBetween(plusMillis(attempt.at, attempt.lease?.ms ?? 0), expiresAt))
      : Infinity,
  );
  const least = Math.min(...away);
  return least === Infinity ? -1 : away.findIndex((ms) => ms <= least + ROUNDED);
}

/**
 * Ends this close together are equally close to an end: Redis reports ends in whole milliseconds, and the time of a
 * line is slightly later than the one from which its lease counts.
 */
const ROUNDED: Millis = 5;

/** Whether a read found the hold that was there before all attempts: its client attempted again with the same token. */
function isHoldBefore({ holders, expiresAt }: LockKey, holder: string, found: RedisTime | null | undefined): boolean {
  return (
    holders.has(holder) && expiresAt != null && found != null && Math.abs(millisBetween(expiresAt, found)) <= SAME_END
  );
}

/**
 * Whether the first attempt had the lock until its lease ended. All other attempts came before that end, except the
 * winner, which was the first one after it.
 *
 *   A 0.0 s, lease 2 s     B 0.5 s     B 1.9 s     B 2.1 s: has it
 */
function hasFirstHeld(attempts: readonly Unreported[], winner: number): boolean {
  const [first, ...others] = attempts;
  const winning = attempts[winner];
  if (winner < 1 || !winning || !first?.lease || first.isRenewal || first.token === winning.token) return false;
  const end = first.moved?.expiresAt ?? plusMillis(first.lease.setAt, first.lease.ms);
  return winning.at >= plusMillis(end, -SAME_END) && others.slice(0, winner - 1).every(({ at }) => at < end);
}

/** Whether a lease ends at the time that a read found. */
function hasEnd(lease: Lease | null, expiresAt: RedisTime | null | undefined): boolean {
  if (lease === null || expiresAt == null) return false;
  return Math.abs(millisBetween(plusMillis(lease.setAt, lease.ms), expiresAt)) <= SAME_END;
}

/**
 * Reports the attempt of a token that renews or releases the lock, without waiting for a read: it had acquired the
 * lock.
 */
export function proveAttempt(to: Context, key: LockKey, token: string, at: RedisTime): void {
  if (key.holders.has(token)) return;
  if (key.mirrors?.tokens?.replacement?.token === token) return settleReplacement(to, key, token);
  const isUnreported = key.mirrors?.tokens?.unreported.some((attempt) => attempt.token === token);
  if (isUnreported) settle(to, key, { holder: token, at });
}

/**
 * Reports the renewals that a comparison with this token proves. Other clients' attempts since then were refused.
 * `isFound`: the comparison found the token; false: it may have found another value.
 */
export function proveHold(to: Context, key: LockKey, token: string, at: RedisTime, isFound: boolean): void {
  if (!proveRenewals(to, key, token, at, isFound)) return;
  const isAgain = key.mirrors?.tokens?.unreported.some((attempt) => attempt.token === token);
  const isThere = isFound || !isOver(key, at);
  if (isThere && !isAgain) settle(to, key, { holder: token, at });
}

/** Reports attempts since the key was seen to be deleted: the first of them acquired the lock. */
export function proveFirst(to: Context, key: LockKey): void {
  const attempts = key.mirrors?.tokens?.unreported ?? [];
  const [first = undefined, last = first] = [attempts[0], attempts.at(-1)];
  if (first && last) settle(to, key, { holder: first.token, at: last.at, wasFree: true });
}

/** Stores a value at a token lock's key that no attempt wrote, or `undefined` when that value is gone. */
export function noteForeignValue(key: LockKey, foreign: TokenMirror['foreign']): void {
  const mirror = key.mirrors?.tokens;
  if (key.kind === 'token-lock' && mirror) mirror.foreign = foreign;
}

/** Reports all undecided attempts as refused, because a read found a value that no attempt wrote. */
export function refuseAttempts(to: Context, key: LockKey, until: RedisTime | null): void {
  const attempts = key.mirrors?.tokens?.unreported.splice(0) ?? [];
  noteForeignValue(key, { until });
  for (const attempt of attempts) {
    const { token, at, by } = attempt;
    const from = { db: key.db, by, released: undefined };
    refuseUnreported(to, attempt, { key, token, at, from, certainty: 'inferred' });
  }
}

function refuseUnreported(to: Context, { isRenewal }: Unreported, call: TokenCall): void {
  if (isRenewal) miss(to, call, 'renew', false);
  else refuse(to, call);
}
