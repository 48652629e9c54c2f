import { type Millis, millisBetween } from '../../../base/time.ts';
import { parseHolder } from '../../../events/names/names.ts';
import type { HolderState } from '../../../state/lock-state.ts';
import type { LockDetector } from '../../detector.ts';

type Incident = 'accidental-reentrancy';

/** A nested call re-enters soon after the acquisition; a second job comes at any time. */
const LONG_AFTER: Millis = 500;
/**
 * How often the count must have risen from 1 to 2. One rise may be a nested call. Jobs that overlap again and again
 * never let the count reach 0.
 */
const RISES = 2;
/** Java numbers its threads from 1, so a larger number than this was made up by the application. */
const MOST_THREADS = 1_000_000_000;

/**
 * The hold count went up from 1 again and again, long after the acquisition and without reaching 0: two jobs may use
 * one thread id. The finding is only a hint, because nested calls of one job send the same commands.
 */
export const accidentalReentrancy: LockDetector<Incident> = {
  incident: 'accidental-reentrancy',
  effect: 'other',
  of: 'lock',
  withoutCommands: 'hint',
  levels: ['monitor', 'replication', 'events'],
  concerns: ({ holders }) => holders.some(({ mode }) => mode === 'exclusive' || mode === 'write'),
  detect(sight) {
    const { lock, lockId, watched } = sight;
    const holder = lock.holders.find(isSuspicious);
    // without commands, a count that rose and fell between two reads is not seen
    if (!holder?.reentries) return watched.level === 'monitor' ? [] : 'level';
    const { id, holdCount, reentries, since, firstSeq } = holder;
    return [
      {
        incident: 'accidental-reentrancy',
        severity: 'hint',
        confidence: 'hint',
        lockId,
        holders: [id],
        from: since ?? reentries.firstAt,
        to: null,
        selfHealsAt: null,
        events: firstSeq === undefined ? [] : [firstSeq],
        values: {
          ...{ holder: id, since, lastAt: reentries.lastAt, rises: reentries.rises, count: holdCount ?? 1 },
          heldMs: since === null ? null : millisBetween(since, sight.now),
          isMadeUp: isMadeUp(id),
        },
      },
    ];
  },
};

function isSuspicious({ id, mode, since, reentries }: HolderState): boolean {
  if (!reentries || mode === 'read' || mode === 'permit' || since === null) return false;
  const isLate = millisBetween(since, reentries.lastAt) >= LONG_AFTER;
  return isLate && reentries.rises >= (isMadeUp(id) ? 1 : RISES);
}

/** Whether no Java thread can have this number. */
function isMadeUp(holder: string): boolean {
  const thread = Number(parseHolder(holder)?.thread ?? '1');
  return thread <= 0 || thread > MOST_THREADS;
}
