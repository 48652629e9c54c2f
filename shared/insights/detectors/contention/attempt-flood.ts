import { type Millis, millisBetween } from '../../../base/time.ts';
import { KINDS } from '../../../events/kinds/kinds.ts';
import { waitingFor } from '../../../state/lock-state.ts';
import type { LockDetector } from '../../detector.ts';

/** Clients that poll, even with a hundred threads, stay below this rate. */
const FEWEST_PER_SECOND = 1000;
/** So many come together by chance, for example when all threads of a client start. */
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
  needs: ['commands'],
  withoutCommands: 'nothing',
  levels: ['monitor'],
  concerns: ({ flood, kind }) => (flood?.attempts ?? 0) >= FEWEST_ATTEMPTS && !KINDS[kind].hasQueue,
  detect({ lock, lockId, now }) {
    const { flood } = lock;
    if (!flood || millisBetween(flood.lastAt, now) > REPORTED) return [];
    const perSecond = ((flood.attempts - 1) * 1000) / Math.max(1, millisBetween(flood.since, flood.lastAt));
    if (perSecond < FEWEST_PER_SECOND) return [];
    const isOver = millisBetween(flood.lastAt, now) > OVER;
    return [
      {
        incident: 'attempt-flood',
        severity: 'warning',
        confidence: 'certain',
        lockId,
        holders: [flood.holder],
        from: flood.since,
        to: isOver ? flood.lastAt : null,
        selfHealsAt: null,
        events: [flood.seq],
        values: {
          ...{ holder: flood.holder, by: flood.by, attempts: flood.attempts, perSecond: Math.round(perSecond) },
          waiting: waitingFor(lock),
        },
      },
    ];
  },
};
