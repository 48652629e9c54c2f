import { forgetOldest } from '../../../base/forget-oldest.ts';
import { isLockName, isShortToken } from '../../libraries/token-found.ts';
import { isTokenLike, libraryOfValue } from '../../libraries/token-libraries.ts';
import type { LockKey } from '../lock-key.ts';
import type { TokenMirror, Unreported } from './token-mirror.ts';

const MOST = 50;
const MOST_UNREPORTED = 20;

/** The mirror of a token lock, created at first use. */
export function tokenMirrorOf(key: LockKey): TokenMirror {
  key.mirrors ??= {};
  key.mirrors.tokens ??= {
    library: undefined,
    isSure: false,
    isStateKnown: false,
    unreported: [],
    unreportedRenewals: [],
    granted: new Set(),
    released: new Set(),
    tokenAt: new Map(),
    refusedTokens: new Map(),
    lastMiss: undefined,
  };
  return key.mirrors.tokens;
}

/**
 * Whether a value found in a key is a token: it was seen before, or it looks random. If the key is known as a lock with
 * a token, two more forms are enough: a word with letters and digits in a key that is named like a lock, and a value in
 * the form of the lock's library.
 */
export function isTokenOf(key: LockKey | undefined, value: string): boolean {
  const mirror = key?.mirrors?.tokens;
  if (key && mirror && isLockName(key.name) && isShortToken(value)) return true;
  if (key && mirror?.library !== undefined && libraryOfValue(key.name, value)?.library === mirror.library) return true;
  if (isTokenLike(value) || value === mirror?.alias?.value || key?.holders.has(value) || mirror?.granted.has(value))
    return true;
  return mirror?.unreported.some(({ token }) => token === value) === true;
}

/** Notes which token acquired or renewed the lock, and over which connection. Remembers the newest 50 of each. */
export function noteGrant(mirror: TokenMirror, token: string, by: string | undefined): void {
  mirror.released.delete(token);
  mirror.granted.delete(token);
  mirror.granted.add(token);
  forgetOldest(mirror.granted, MOST);
  if (by === undefined) return;
  mirror.tokenAt.delete(by);
  mirror.tokenAt.set(by, token);
  forgetOldest(mirror.tokenAt, MOST);
  mirror.refusedTokens.delete(by);
}

/**
 * The token that last acquired or renewed the lock over this connection. Undefined if another token was refused there
 * since, because another thread may use the connection. Also undefined if the value is a word, not a random token, and
 * another connection acquired with it since.
 */
export function acquiredBy(mirror: TokenMirror | undefined, by: string): string | undefined {
  const token = mirror?.tokenAt.get(by);
  if (!mirror || token === undefined || (mirror.refusedTokens.get(by) ?? token) !== token) return undefined;
  const [lastAddress] = [...mirror.tokenAt].findLast(([, last]) => last === token) ?? [];
  return isTokenLike(token) || lastAddress === by ? token : undefined;
}

/** Notes that the client of a token released the lock by a command. Remembers the newest 50. */
export function noteRelease({ released }: TokenMirror, token: string): void {
  released.add(token);
  forgetOldest(released, MOST);
}

/** Notes which token was refused over which connection. Remembers the newest 50. */
export function noteRefused({ refusedTokens }: TokenMirror, token: string, by: string | undefined): void {
  if (by === undefined) return;
  refusedTokens.delete(by);
  refusedTokens.set(by, token);
  forgetOldest(refusedTokens, MOST);
}

/** A token was released: a later deletion on its connection is not its late release. */
export function forgetConnections({ tokenAt }: TokenMirror, token: string): void {
  for (const [by, last] of tokenAt) if (last === token) tokenAt.delete(by);
}

/** Keeps an attempt whose outcome only a read will show. */
export function keepUnreported(mirror: TokenMirror, attempt: Unreported): void {
  mirror.unreported.push(attempt);
  if (mirror.unreported.length > MOST_UNREPORTED) forgetOneUnreported(mirror);
}

/**
 * Forgets the oldest attempt whose token retried later, because it was refused. If there is none, forgets the second
 * oldest attempt: the oldest one most likely acquired the lock.
 */
function forgetOneUnreported(mirror: TokenMirror): void {
  const { unreported } = mirror;
  const repeated = unreported.findIndex(({ token }, n) =>
    unreported.some((later, m) => m > n && later.token === token),
  );
  const [forgotten] = unreported.splice(repeated >= 0 ? repeated : 1, 1);
  mirror.forgottenUntil = forgotten?.at;
}

/** Keeps a renewal until a read, or another command, shows its outcome. */
export function keepRenewal(key: LockKey, renewal: Unreported): void {
  const { unreportedRenewals } = tokenMirrorOf(key);
  unreportedRenewals.push(renewal);
  if (unreportedRenewals.length > MOST_UNREPORTED) unreportedRenewals.shift();
}

/** Whether a renewal whose outcome is not known yet may have moved the end of the lease. */
export function mayBeRenewed({ mirrors }: LockKey): boolean {
  return (mirrors?.tokens?.unreportedRenewals.length ?? 0) > 0;
}
