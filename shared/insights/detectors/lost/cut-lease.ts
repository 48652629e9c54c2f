import type { DetailOf, LockEvent } from '../../../events/event.ts';
import { isTokenKind } from '../../../events/kinds/kinds.ts';
import { clientOf } from '../../../events/names/names.ts';
import type { LockState } from '../../../state/lock-state.ts';
import { lastBefore } from './overlap.ts';

type Shortened = LockEvent & DetailOf<'lease.shortened'>;

/**
 * The plain command that set an earlier end of the lease, after the last acquisition or renewal. If there was such a
 * command, no lease was too short, and no watchdog failed. Undefined if the holder's own client set this end:
 *
 * - Its library does so as the last step of a group.
 * - An application does so if it locks in two commands, SETNX and EXPIRE. `lock` is needed to recognise that; absent: a
 *   known library uses the lock, with other commands.
 */
export function cutOf(
  ended: LockEvent,
  holder: string,
  events: readonly LockEvent[],
  lock?: Pick<LockState, 'kind' | 'library'>,
): Shortened | undefined {
  const set = shortenedBefore(ended, events);
  if (!set || set.cause === 'holder' || set.group !== undefined) return undefined;
  if (lock && isOwnToken(lock) && !hadEnd(set, events)) return undefined;
  return isOwn(set, holder, events) ? undefined : set;
}

/**
 * Whether a plain command may have cut the lease of an own lock, as far as it is not known whether the lease had an end
 * before: its acquisition is too old to be looked at.
 */
export function mayBeCut(ended: LockEvent, holder: string, events: readonly LockEvent[], lock: LockState): boolean {
  const set = isOwnToken(lock) ? cutOf(ended, holder, events) : undefined;
  return set !== undefined && hadEnd(set, events) === undefined;
}

/**
 * The event that set the lease which ended, if it shortened the lease; undefined: an acquisition or a renewal set it.
 */
export function shortenedBefore(ended: LockEvent, events: readonly LockEvent[]): Shortened | undefined {
  const set = lastBefore(ended, events, ({ type }) => SETS_LEASE.has(type));
  return set?.type === 'lease.shortened' ? set : undefined;
}

/**
 * Whether the lease had an end before it was shortened. If it had none, this command is the one with which its client
 * sets the lease. Undefined: no event shows that.
 */
export function hadEnd(set: LockEvent, events: readonly LockEvent[]): boolean | undefined {
  const before = lastBefore(set, events, ({ type }) => SETS_LEASE.has(type) || type === 'lock.found');
  return before && 'expiresAt' in before && before.expiresAt != null;
}

/** Whether a lock has a token and no known library: an application's own lock. */
export function isOwnToken({ kind, library }: Pick<LockState, 'kind' | 'library'>): boolean {
  return isTokenKind(kind) && (library === null || library === 'unknown');
}

const SETS_LEASE: ReadonlySet<string> = new Set([
  ...(['lock.acquired', 'lock.reentered', 'lease.renewed', 'lease.shortened'] as const),
]);

/**
 * Whether a command of the holder's client is known from before the lease was cut. Without one, for example if all of
 * them are too old to be looked at, any connection may be the holder's own.
 */
export function wasHeardBefore({ seq }: LockEvent, holder: string, events: readonly LockEvent[]): boolean {
  return events.some((event) => event.seq < seq && event.by !== undefined && isOfClient(event, holder));
}

/** Whether the connection that sent the command belongs to the client of the holder, also by events of this lock. */
function isOwn({ by, client }: Shortened, holder: string, events: readonly LockEvent[]): boolean {
  if (client !== undefined && client === clientOf(holder)) return true;
  return by !== undefined && events.some((event) => event.by === by && isOfClient(event, holder));
}

function isOfClient(event: LockEvent, holder: string): boolean {
  if (event.type === 'lease.shortened' || !('holder' in event) || event.holder === undefined) return false;
  return clientOf(event.holder) === clientOf(holder);
}
