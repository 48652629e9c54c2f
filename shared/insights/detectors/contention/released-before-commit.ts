import type { LockDetector } from '../../detector.ts';

type Incident = 'released-before-commit';

/**
 * The proof that a lock did its work: since the last loss, each holder released it before the next one acquired it. A thread
 * that lost its hold earlier may still have worked, so it is at most likely. If data collided all the
 * same, the holder released before its transaction was committed. That is not wrong by itself, so it is only an answer to
 * a question about this lock.
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
