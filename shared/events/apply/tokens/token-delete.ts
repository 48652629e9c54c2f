import type { ActionOf } from '../../action.ts';
import type { Context, Origin } from '../../context.ts';
import { areOfOtherHosts, isTokenLike, isUniqueJob } from '../../libraries/token-libraries.ts';
import { clearKey, type LockKey } from '../../mirror/lock-key.ts';
import type { MayBeTaken } from '../../mirror/mirrors.ts';
import { LONG } from '../../mirror/tokens/long-tokens.ts';
import { forgetConnections, tokenMirrorOf } from '../../mirror/tokens/token-memory.ts';
import type { TokenMirror } from '../../mirror/tokens/token-mirror.ts';
import { wasOverForCommand } from '../proof.ts';
import { proveAttempt } from '../reads/token-reads.ts';
import { endIfOver, miss, release, type TokenCall } from './token-hold.ts';

/**
 * Commands by which clients release a lock without comparing the token in Redis. An end in the past deletes the key.
 */
const RELEASING: ReadonlySet<string> = new Set([
  ...['DEL', 'UNLINK', 'GETDEL', 'DELEX', 'EXPIRE', 'PEXPIRE', 'EXPIREAT', 'PEXPIREAT', 'GETEX'],
]);

/**
 * Applies a command that removed or replaced the key of a token lock. A deletion on a connection that once acquired the
 * lock is one of these:
 *
 * - the holder's release, if the token of the connection holds the lock. Some libraries do not compare the token, for
 *   example ShedLock and Spring Integration 5.5
 * - a refused unlock, if the lock is free
 * - a late release, which deletes the hold of another token
 *
 * For a deletion on any other connection, see `dropUnknown`. Returns `false` if nothing was reported: then the holder
 * lost the lock by another client's command, or the lock was free.
 */
export function applyTokenDelete(to: Context, key: LockKey, action: ActionOf<'delete'>, from: Origin): boolean {
  const { at, command } = action;
  const mirror = key.mirrors?.tokens;
  if (key.kind !== 'token-lock' || !mirror || from.by === undefined) return false;
  const { by } = from;
  const own = mirror.unreported.findLast((each) => each.by === by);
  const attempt = own ?? (RELEASING.has(command) ? firstOfPool(to, mirror, by) : undefined);
  if (attempt) proveAttempt(to, key, attempt.token, at);
  if (!RELEASING.has(command)) return false;
  if (key.holders.size === 0 && mirror.unreported.length > 0) {
    mirror.unreported.length = 0; // whichever attempt acquired the lock, it is free now
    mirror.isStateKnown = true;
  }
  const token = mirror.tokenAt.get(from.by);
  if (token === undefined) return dropUnknown(to, key, action, from.by);
  const call: TokenCall = { key, token, at, from };
  endIfOver(to, call);
  if (key.holders.has(token) && !isOfOtherClient(to, mirror, token, from.by)) {
    release(to, { ...call, certainty: 'inferred' }); // shown by the connection, not by a comparison
    return true;
  }
  if (key.holders.size === 0) {
    miss(to, { ...call, certainty: 'inferred' }, 'release', true);
    return true;
  }
  const holders = [...key.holders.keys()];
  const [holder = ''] = holders;
  const certainty = mayBeHoldersRelease(to, mirror, { holder, token, by }) ? 'inferred' : 'observed';
  key.lastLoss = to.emit(
    { db: key.db, lock: key.name, kind: key.kind, at, by: from.by, certainty },
    { type: 'lock.deleted', command, holder, holders, late: token },
  );
  clearKey(key, 'gone');
  key.watchEpoch = to.watchEpoch;
  return true;
}

/**
 * A connection that once acquired the lock with `token` deletes the key. Whether this may be the release of the present
 * holder, whose client may use that connection as well.
 */
function mayBeHoldersRelease(
  { clients }: Context,
  { tokenAt }: TokenMirror,
  { holder, token, by }: { readonly holder: string; readonly token: string; readonly by: string },
): boolean {
  if (areOfOtherHosts(holder, token)) return false;
  const [holderAddress] = [...tokenAt].findLast(([, last]) => last === holder) ?? [];
  return holderAddress === undefined || clients.connections.mayBeOfOnePool(holderAddress, by);
}

/** The first undecided attempt, if a connection of the same pool deletes the key; undefined otherwise. */
function firstOfPool({ clients }: Context, { unreported: [first] }: TokenMirror, by: string) {
  return first?.by !== undefined && clients.connections.hasList && clients.connections.areOfOnePool(first.by, by)
    ? first
    : undefined;
}

/**
 * A read shows that a command that may have failed took effect. If the command was the holder's, reports its release.
 * Otherwise returns `false`.
 */
export function isReleasedBy(to: Context, key: LockKey, { at, command, by, compared }: MayBeTaken): boolean {
  if (compared !== undefined && key.holders.has(compared)) {
    release(to, { key, token: compared, at, from: { db: key.db, by, released: undefined }, certainty: 'inferred' });
    return true;
  }
  const mirror = key.mirrors?.tokens;
  const token = by === undefined ? undefined : mirror?.tokenAt.get(by);
  if (!mirror || by === undefined || token === undefined || !RELEASING.has(command)) return false;
  if (!key.holders.has(token) || isOfOtherClient(to, mirror, token, by)) return false;
  const from = { db: key.db, by, released: undefined };
  release(to, { key, token, at, from, certainty: 'inferred' });
  return true;
}

/**
 * Whether the last client that acquired the lock with this word is another one than that of this connection. The word
 * does not distinguish clients that all set it, but their connections do.
 */
function isOfOtherClient({ clients }: Context, { tokenAt }: TokenMirror, token: string, by: string): boolean {
  if (isTokenLike(token)) return false;
  const [holderAddress = by] = [...tokenAt].findLast(([, last]) => last === token) ?? [];
  return holderAddress !== by && !clients.connections.mayBeOfOnePool(holderAddress, by);
}

/** Libraries that release without a comparison. Applications' own locks, without a library, may do so as well. */
const PLAIN_DELETES: ReadonlySet<string | undefined> = new Set(['shedlock', 'spring-integration', undefined]);

/**
 * Whether a lock may guard a job against duplicates. The client that queues such a job acquires the lock for an hour or
 * more, and the worker that ran the job deletes it. No holder was ever seen to release the lock, and no client waits
 * for it.
 */
function mayGuardJob({ waits }: Context, key: LockKey): boolean {
  const hasWaiter = () => waits.of(key.db, key.name).some(({ attempts }) => attempts > 1);
  return (key.leaseMs ?? 0) >= LONG && tokenMirrorOf(key).released.size === 0 && !hasWaiter();
}

/**
 * Applies a deletion on a connection that acquired nothing. It may be a release (`how: 'unknown'`) in these cases:
 *
 * - the holder's connection is not known
 * - the lock may guard a job against duplicates
 * - the library, or an application's own lock, releases without a comparison, and both connections may belong to one
 *   pool
 *
 * Otherwise another client deleted the lock, or the lock was free: returns `false`.
 */
function dropUnknown(to: Context, key: LockKey, { at, command }: ActionOf<'delete'>, by: string): boolean {
  const [holder, ...others] = key.holders.keys();
  const mirror = tokenMirrorOf(key);
  if (holder === undefined || others.length > 0 || wasOverForCommand(to, key, at)) return false;
  const [own] = [...mirror.tokenAt].find(([, token]) => token === holder) ?? [];
  // The form of a token proves no library: an application's own lock may use a uuid as well.
  const isProven = mirror.library !== undefined && (mirror.isSure || to.libraries.has(mirror.library));
  const library = isProven ? mirror.library : undefined;
  const isOfPool = (address: string) =>
    mirror.library === undefined
      ? to.clients.connections.mayBeOfOnePool(address, by)
      : to.clients.connections.areOfOnePool(address, by);
  const mayRelease = () => PLAIN_DELETES.has(library) && own !== undefined && isOfPool(own);
  if (own !== undefined && !isUniqueJob(key.name) && !mayGuardJob(to, key) && !mayRelease()) return false;
  forgetConnections(mirror, holder);
  to.emit(
    { db: key.db, lock: key.name, kind: key.kind, at, by, certainty: 'inferred' },
    { type: 'lock.released', holder, mode: 'exclusive', holdCount: 0, how: 'unknown', command },
  );
  clearKey(key, 'released');
  key.watchEpoch = to.watchEpoch;
  return true;
}
