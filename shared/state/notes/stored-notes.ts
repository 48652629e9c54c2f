import { lockWith } from '../copies.ts';
import type { LockState } from '../lock-state.ts';
import type { LockNotes } from './lock-notes.ts';

/** A lock as it was stored: the notes of an older Lockscope are beside its facts, and become one table. */
export function withStoredNotes(stored: LockState & Partial<LockNotes>): LockState {
  if (stored.notes !== undefined) return stored;
  const notes: LockNotes = {
    aheads: stored.aheads,
    connectionRuns: stored.connectionRuns,
    crowdedSince: stored.crowdedSince,
    drift: stored.drift,
    exclusion: stored.exclusion,
    herd: stored.herd,
    quorumError: stored.quorumError,
    readsAhead: stored.readsAhead,
    recentHolds: stored.recentHolds,
  };
  return Object.values(notes).every((note) => note === undefined) ? stored : lockWith(stored, { notes });
}
