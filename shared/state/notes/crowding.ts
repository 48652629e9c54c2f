import { millisBetween } from '../../base/time.ts';
import type { LockEvent } from '../../events/event.ts';
import { lockWith } from '../copies.ts';
import type { Herd, ReadsAhead } from '../crowds.ts';
import { CROWD, type LockState } from '../lock-state.ts';

/** Counting begins again after a pause of this length. */
const PAUSE_MS = 30_000;

/** Counts what shows that too many threads want a lock. Healthy locks have no such count. */
export function withCrowding(before: LockState, after: LockState, event: LockEvent): LockState {
  const herd = herdAfter(before.herd, event);
  const readsAhead = readsAheadAfter(before, after, event);
  const crowdedSince = crowdAfter(before.crowdedSince, after, event);
  const isSame = herd === after.herd && readsAhead === after.readsAhead;
  if (isSame && crowdedSince === after.crowdedSince) return after;
  return lockWith(after, { herd, readsAhead, crowdedSince });
}

function crowdAfter(
  since: LockState['crowdedSince'],
  { waiters, waitersBeyond }: LockState,
  { at, seq }: LockEvent,
): LockState['crowdedSince'] {
  // at a hand-over, one of a crowd holds the lock, and the former holder has not asked again
  if (waiters.length + waitersBeyond < (since ? CROWD - 1 : CROWD)) return undefined;
  return since ?? { at, seq };
}

function herdAfter(herd: Herd | undefined, event: LockEvent): Herd | undefined {
  const { at, type } = event;
  if (type === 'wakeup.published' && herd) return { ...herd, releases: herd.releases + 1 };
  if (type !== 'lock.refused' || event.wokenBy !== 'message') return herd;
  const isNew = !herd || millisBetween(herd.at, at) > PAUSE_MS;
  return isNew ? { since: at, at, releases: 1, refused: 1 } : { ...herd, at, refused: herd.refused + 1 };
}

function readsAheadAfter(before: LockState, after: LockState, event: LockEvent): ReadsAhead | undefined {
  const { readsAhead } = before;
  if (readsAhead === undefined && (event.type !== 'lock.acquired' || event.mode !== 'read')) return undefined;
  const isHeld = before.holders.length > 0 && after.holders.length > 0;
  if (!isHeld || !after.waiters.some(isWriter)) return undefined;
  if (event.type !== 'lock.acquired' || event.mode !== 'read') return readsAhead;
  return { since: readsAhead?.since ?? event.at, at: event.at, reads: (readsAhead?.reads ?? 0) + 1 };
}

function isWriter({ mode, isConfirmed, presumedGoneAt }: LockState['waiters'][number]): boolean {
  return mode === 'write' && isConfirmed && presumedGoneAt === null;
}
