import type { LockDetector } from '../../detector.ts';

type Incident = 'released-before-commit';

/**
 * A lock did its work: since the last loss, each holder released it before the next one acquired it. If data collided
 * nevertheless, a holder may have released the lock before its transaction was committed. Releasing in order is not a
 * problem, so this detector only answers a question about one lock. A thread that lost its hold earlier may still have
 * worked, so the finding is only likely.
 */
export const releasedBeforeCommit: LockDetector<Incident> = {
  incident: 'released-before-commit',
  effect: 'other',
  of: 'lock',
  withoutCommands: 'nothing',
  levels: ['monitor'],
  concerns: ({ notes }) => notes?.exclusion !== undefined,
  detect({ lock: { notes, believers }, lockId, watched }) {
    const exclusion = notes?.exclusion;
    if (!exclusion || believers.length > 0) return [];
    const { since, handovers, tightestMs, seqs } = exclusion;
    if (since < watched.watchedSince) return 'blind-spot';
    return [
      {
        incident: 'released-before-commit',
        ...{ severity: 'hint', confidence: 'likely', lockId, holders: [], from: since, to: null, selfHealsAt: null },
        events: seqs,
        values: { since, handovers, tightestMs: Math.round(tightestMs * 10) / 10 },
      },
    ];
  },
};
