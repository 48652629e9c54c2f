import { millisBetween, plusMillis, type RedisTime } from '../../../base/time.ts';
import type { Context } from '../../context.ts';
import type { LockKey } from '../../mirror/lock-keys.ts';
import { tokenMirrorOf } from '../../mirror/token-memory.ts';
import type { TokenMirror } from '../../mirror/token-mirror.ts';
import type { Companions } from '../../recognise/family.ts';
import type { KeyContent } from '../../types/watch-event.ts';
import { gain, refuse, renew } from '../token-hold.ts';

/** Stands for a library that is not known. */
const UNKNOWN = 'unknown';

/** What a recording begins with: the token, and how it was known to be one. */
export function believedToken(key: LockKey): Companions | undefined {
  const mirror = key.mirrors?.tokens;
  if (key.kind !== 'token-lock' || !mirror) return undefined;
  return {
    ...(mirror.isStateKnown ? { token: [...key.holders.keys()] } : {}),
    library: libraryWords(mirror),
  };
}

/** How a lock is known to be one, in the form of a read. */
export function libraryWords({ library, isSure }: { library: string | undefined; isSure: boolean }): string[] {
  return [library ?? UNKNOWN, ...(isSure ? ['sure'] : [])];
}

/** Takes up what a recording, or a read, tells beyond the token itself. */
export function applyFoundLibrary(_to: Context, key: LockKey, found: Companions): void {
  if (key.kind !== 'token-lock') return;
  const mirror = tokenMirrorOf(key);
  if (found.token) mirror.isStateKnown = true;
  for (const holder of key.holders.keys()) mirror.granted.add(holder);
  noteLibrary(key, found);
}

/** Takes up whose way of locking it is: first of all, since every event tells it. */
export function noteLibrary(key: LockKey, found: Companions): void {
  if (key.kind !== 'token-lock') return;
  const mirror = tokenMirrorOf(key);
  const [library, evidence] = found.library ?? [];
  if (library !== undefined && library !== UNKNOWN) mirror.library = library;
  if (evidence === 'sure') mirror.isSure = true;
}

/** Attempts of which nobody knew what became of them, told by who holds the lock now. */
export function settleAttempts(to: Context, key: LockKey, found: KeyContent | null, at: RedisTime): void {
  settleRenewal(to, key, found);
  settle(to, key, found?.holders[0]?.holder, at);
}

/** A renewal by plain command was one if the lease ends when it said. */
function settleRenewal(to: Context, key: LockKey, found: KeyContent | null): void {
  const mirror = key.mirrors?.tokens;
  const renewal = mirror?.untoldRenewal;
  if (!mirror || !renewal) return;
  mirror.untoldRenewal = undefined;
  const { token, at, lease, by } = renewal;
  if (lease === null || found?.expiresAt == null || found.holders[0]?.holder !== token) return;
  if (Math.abs(millisBetween(plusMillis(lease.setAt, lease.ms), found.expiresAt)) > SAME_END) return;
  renew(to, { key, token, at, from: { db: key.db, by, released: undefined }, certainty: 'inferred' }, lease);
}

/** Ends of a lease this close together are the same. */
const SAME_END = 100;

function settle(to: Context, key: LockKey, holder: string | undefined, at: RedisTime): void {
  const attempts = key.mirrors?.tokens?.untold.splice(0) ?? [];
  if (holder === undefined || attempts.length === 0) return;
  const turnOf = ({ token, at, by }: (typeof attempts)[number]) =>
    ({ key, token, at, from: { db: key.db, by, released: undefined }, certainty: 'inferred' }) as const;
  const winner = attempts.findLastIndex(({ token }) => token === holder);
  attempts.forEach((attempt, n) => {
    if (n === winner) gain(to, { ...turnOf(attempt), key }, attempt.lease);
    else if (n > winner) refuse(to, { ...turnOf(attempt), at: attempt.at < at ? attempt.at : at });
  });
}

/** Whoever renews or releases a lock was given it: that tells its attempt before any read does. */
export function proveAttempt(to: Context, key: LockKey, token: string, at: RedisTime): void {
  if (key.holders.has(token)) return;
  const isUntold = key.mirrors?.tokens?.untold.some((attempt) => attempt.token === token);
  if (isUntold) settle(to, key, token, at);
}

/** Notes that a plain command, or a read, showed a value at a token lock's key that no attempt put there, or that it is gone. */
export function noteForeignValue(key: LockKey, foreign: TokenMirror['foreign']): void {
  const mirror = key.mirrors?.tokens;
  if (key.kind === 'token-lock' && mirror) mirror.foreign = foreign;
}

/** A read found such a value: whoever asked for the lock since was refused. */
export function refuseAttempts(to: Context, key: LockKey, until: RedisTime | null): void {
  const attempts = key.mirrors?.tokens?.untold.splice(0) ?? [];
  noteForeignValue(key, { until });
  for (const { token, at, by } of attempts) {
    refuse(to, { key, token, at, from: { db: key.db, by, released: undefined }, certainty: 'inferred' });
  }
}

/** Whether the key is taken by a value that is nobody's token. */
export function isTakenByOther({ holders, mirrors }: LockKey, at: RedisTime): boolean {
  const foreign = mirrors?.tokens?.foreign;
  return holders.size === 0 && foreign !== undefined && (foreign.until === null || at < foreign.until);
}
