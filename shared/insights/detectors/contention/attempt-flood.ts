import { type Millis, millisBetween, plusMillis, type RedisTime } from '../../../base/time.ts';
import { KINDS } from '../../../events/kinds/kinds.ts';
import { type LockState, waitingFor } from '../../../state/lock-state.ts';
import { hasLongRun, LONG_RUN } from '../../../state/notes/connection-runs.ts';
import { type LockDetector, SHOWN_AFTER_MS } from '../../detector.ts';
import { isFromBefore } from '../../from-before.ts';

/** Clients that poll, even with a hundred threads, stay below this rate. */
const FEWEST_PER_SECOND = 1000;
/** A flood that is silent for this long has ended. */
const OVER_AFTER: Millis = 1000;

/**
 * A client attempts a held lock without a pause, a thousand times a second or more. Each attempt is a script or a
 * command that Redis runs in its only thread, so all clients of that server wait. Some libraries and many loops use a
 * new token for each attempt: only the connection shows that all of these attempts are of one client. Such a loop at a
 * fair lock is reported by `fair-hot-loop`.
 */
export const attemptFlood: LockDetector<'attempt-flood'> = {
  incident: 'attempt-flood',
  effect: 'slow',
  of: 'lock',
  withoutCommands: 'nothing',
  levels: ['monitor'],
  concerns: (lock) => !KINDS[lock.kind].hasQueue && (hasLongRun(lock) || lock.waiters.some(({ run }) => run)),
  detect(sight) {
    const { lock, lockId, isPast } = sight;
    return runsOf(lock).flatMap(({ id, isNewEachTime, attempts, since, seq, lastAt }) => {
      const seconds = millisBetween(since, lastAt) / 1000;
      const perSecond = seconds > 0 ? Math.round((attempts - 1) / seconds) : 0;
      if (attempts < LONG_RUN || perSecond < FEWEST_PER_SECOND) return [];
      if (isPast(plusMillis(lastAt, SHOWN_AFTER_MS))) return [];
      return [
        {
          incident: 'attempt-flood',
          severity: 'warning',
          confidence: 'certain',
          lockId,
          holders: [id],
          from: since,
          ...(isFromBefore(sight, since) ? { isAtLeast: true } : undefined),
          to: isPast(plusMillis(lastAt, OVER_AFTER)) ? lastAt : null,
          selfHealsAt: null,
          events: [seq],
          values: { holder: id, isNewEachTime, attempts, perSecond, waiting: waitingFor(lock) },
        },
      ];
    });
  },
};

/** Attempts in quick succession, by a waiter or by a connection. */
type Run = {
  readonly id: string;
  readonly isNewEachTime: boolean;
  readonly attempts: number;
  readonly since: RedisTime;
  readonly seq: number;
  readonly lastAt: RedisTime;
};

function runsOf({ waiters, notes }: LockState): Run[] {
  const runsOfWaiters = waiters.flatMap(({ id, run, attempts }): Run[] =>
    run ? [{ ...run, id, isNewEachTime: false, attempts: attempts - run.firstAttempt + 1 }] : [],
  );
  const connectionRuns = notes?.connectionRuns ?? [];
  return [...runsOfWaiters, ...connectionRuns.map((run) => ({ ...run, id: run.by, isNewEachTime: true }))];
}
