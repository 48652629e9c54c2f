import type { LockEvent } from '../../events/event.ts';
import type { LockFacts } from '../lock-facts.ts';
import { aheadsAfter, type ClockAhead } from './clocks-ahead.ts';
import { type ConnectionRun, connectionRunsAfter, hasLongRun } from './connection-runs.ts';
import { type Crowd, crowdAfter, type Herd, herdAfter, type ReadsAhead, readsAheadAfter } from './crowding.ts';
import { type Exclusion, exclusionAfter } from './exclusion.ts';
import { type Drift, driftAfter } from './late-deadlines.ts';
import { type QuorumError, quorumErrorAfter } from './quorum-error.ts';
import { type TokenBack, tokenBackAfter } from './token-back.ts';
import { type RecentHolds, recentHoldsAfter } from './usual-holds.ts';

/**
 * What single detectors need to know of the past of a lock. The file of each note has its type, and the function that
 * returns the note after an event. Undefined: there is nothing to note.
 */
export type LockNotes = {
  /** Fair lock: clients whose clocks are ahead. */
  readonly aheads: readonly ClockAhead[] | undefined;
  /** Connections that ask without sleep, each time as a new caller. */
  readonly connectionRuns: readonly ConnectionRun[] | undefined;
  readonly crowdedSince: Crowd | undefined;
  /** Fair lock of Redisson 3.11.0 or older: deadlines that are too late. */
  readonly drift: Drift | undefined;
  /** Hand-overs that kept the lock's holders apart. */
  readonly exclusion: Exclusion | undefined;
  readonly herd: Herd | undefined;
  /** The newest error that a caller of node-redlock got here. */
  readonly quorumError: QuorumError | undefined;
  readonly readsAhead: ReadsAhead | undefined;
  readonly recentHolds: RecentHolds | undefined;
  /** Fenced lock: whether its tokens rise. */
  readonly tokenBack: TokenBack | undefined;
};

/** Returns the notes after an event, given the lock `before` it and its facts `after` it. Undefined: there are none. */
export function notesAfter(
  before: LockFacts & { readonly notes?: LockNotes },
  after: LockFacts,
  event: LockEvent,
): LockNotes | undefined {
  const was = before.notes;
  const notes: LockNotes = {
    aheads: aheadsAfter(was?.aheads, event),
    connectionRuns: connectionRunsAfter(was?.connectionRuns, event),
    crowdedSince: crowdAfter(was?.crowdedSince, after, event),
    drift: driftAfter(was?.drift, after, event),
    exclusion: exclusionAfter(was?.exclusion, before, event),
    herd: herdAfter(was?.herd, event),
    quorumError: quorumErrorAfter(was?.quorumError, before, event),
    readsAhead: readsAheadAfter(was?.readsAhead, before, after, event),
    recentHolds: recentHoldsAfter(was?.recentHolds, before, event),
    tokenBack: tokenBackAfter(was?.tokenBack, event),
  };
  if (isSame(notes, was)) return was;
  return isSame(notes, undefined) ? undefined : notes;
}

/** Written out, because a loop over the names would take more time than making all the notes. */
function isSame(a: LockNotes, b: LockNotes | undefined): boolean {
  return (
    a.aheads === b?.aheads &&
    a.connectionRuns === b?.connectionRuns &&
    a.crowdedSince === b?.crowdedSince &&
    a.drift === b?.drift &&
    a.exclusion === b?.exclusion &&
    a.herd === b?.herd &&
    a.quorumError === b?.quorumError &&
    a.readsAhead === b?.readsAhead &&
    a.recentHolds === b?.recentHolds &&
    a.tokenBack === b?.tokenBack
  );
}

/** Whether there is a note that is reported even while the lock is free. */
export function hasLastingNote(lock: { readonly notes?: LockNotes }): boolean {
  const { herd, quorumError, tokenBack } = lock.notes ?? {};
  return herd !== undefined || quorumError !== undefined || tokenBack?.back !== undefined || hasLongRun(lock);
}
