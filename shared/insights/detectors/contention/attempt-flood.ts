import { type Millis, millisBetween } from '../../../base/time.ts';
import { KINDS } from '../../../events/kinds/kinds.ts';
import { attemptsPerSecond } from '../../../state/fair-notes.ts';
import { waitingFor } from '../../../state/lock-state.ts';
import type { LockDetector } from '../../detector.ts';

/** Clients that poll, even with a hundred threads, stay below this rate. */
const FEWEST_PER_SECOND = 1000;
/** A shorter run may be chance, for example while a client starts. */
const FEWEST_ATTEMPTS = 2000;
/** A flood that is silent for this long has ended; it is reported for some time after that. */
const OVER: Millis = 1000;
const REPORTED: Millis = 60_000;

/**
 * A client asks for a held lock without a pause, thousands of times a second. Each attempt is a script or a command that
 * Redis runs in its only thread, so all clients of that server wait. A fair lock has `fair-hot-loop`.
 */
export const attemptFlood: LockDetector<'attempt-flood'> = {
  incident: 'attempt-flood',
  effect: 'slow',
  of: 'lock',
  withoutCommands: 'nothing',
  levels: ['monitor'],
  concerns: ({ kind, waiters }) => !KINDS[kind].hasQueue && waiters.some(({ run }) => run),
  detect({ lock, lockId, now }) {
    return lock.waiters.flatMap((waiter) => {
      const { run, id, attempts: all } = waiter;
      const attempts = run ? all - run.firstAttempt + 1 : 0;
      const perSecond = Math.round(attemptsPerSecond(waiter));
      if (!run || attempts < FEWEST_ATTEMPTS || perSecond < FEWEST_PER_SECOND) return [];
      const silent = millisBetween(run.lastAt, now);
      if (silent > REPORTED) return [];
      return [
        {
          incident: 'attempt-flood',
          severity: 'warning',
          confidence: 'certain',
          lockId,
          holders: [id],
          from: run.since,
          to: silent > OVER ? run.lastAt : null,
          selfHealsAt: null,
          events: [run.seq],
          values: { holder: id, attempts, perSecond, waiting: waitingFor(lock) },
        },
      ];
    });
  },
};
