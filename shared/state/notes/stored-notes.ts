import { lockWith } from '../copies.ts';
import type { LockState } from '../lock-state.ts';
import type { LockNotes } from './lock-notes.ts';

/** Reads a stored lock. An older Lockscope stored the notes beside the facts; they become one object here. */
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
    tokenBack: stored.tokenBack,
  };
  return Object.values(notes).every((note) => note === undefined) ? stored : lockWith(stored, { notes });
}
