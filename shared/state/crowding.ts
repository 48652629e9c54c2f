import { millisBetween } from '../base/time.ts';
import type { LockEvent } from '../events/event.ts';
import { lockWith } from './copies.ts';
import type { Herd, ReadsAhead } from './crowds.ts';
import { floodAfter } from './flood-notes.ts';
import type { LockState } from './lock-state.ts';

/** Counting begins again after a pause of this length. */
const PAUSE_MS = 30_000;

/** Counts what shows that too many threads want a lock. Healthy locks have no herd and no readers ahead, and short floods. */
export function withCrowding(before: LockState, after: LockState, event: LockEvent): LockState {
  const herd = herdAfter(before.herd, event);
  const readsAhead = readsAheadAfter(before, after, event);
  const flood = floodAfter(before.flood, event);
  if (herd === after.herd && readsAhead === after.readsAhead && flood === after.flood) return after;
  return lockWith(after, { herd, readsAhead, flood });
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
