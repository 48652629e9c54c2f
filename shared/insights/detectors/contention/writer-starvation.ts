import { type Millis, plusMillis } from '../../../base/time.ts';
import { KINDS } from '../../../events/kinds/kinds.ts';
import type { WaiterState } from '../../../state/lock-state.ts';
import type { LockDetector } from '../../detector.ts';
import { isOverdue } from '../../sleepers.ts';

type Incident = 'writer-starvation';

/**
 * A shorter wait for readers is normal. If no reader was admitted for this long, the writer waits for a slow reader.
 */
const LEAST_WAIT_MS: Millis = 5000;
/** From this length of its wait on, the finding is a warning. */
const LONG_WAIT_MS: Millis = 10_000;
/** Fewer reads that were admitted meanwhile show no pattern. */
const LEAST_READS = 10;

/**
 * A writer waits while new readers are admitted, so that the lock is never free. If the writer is part of a circle of
 * threads, `abba-deadlock` reports that as well: both verdicts are true.
 */
export const writerStarvation: LockDetector<Incident> = {
  incident: 'writer-starvation',
  effect: 'stuck',
  of: 'lock',
  withoutCommands: 'nothing',
  levels: ['monitor'],
  needsWaiters: true,
  concerns: ({ kind }) => KINDS[kind].hasReaders === true,
  detect(sight) {
    const { lock, lockId, watched, hasCome, isPast } = sight;
    const readsAhead = lock.notes?.readsAhead;
    const isWaiting = (each: WaiterState) => each.isConfirmed && !each.presumedGoneAt && !isOverdue(each, sight);
    const writers = lock.waiters.filter((each) => each.mode === 'write' && isWaiting(each));
    const [first] = writers.sort((a, b) => a.since - b.since);
    if (!first || !readsAhead) return [];
    if (readsAhead.since < watched.watchedSince) return 'blind-spot';
    if (readsAhead.reads < LEAST_READS || !hasCome(plusMillis(first.since, LEAST_WAIT_MS))) return [];
    if (isPast(plusMillis(readsAhead.at, LEAST_WAIT_MS))) return []; // no new reader: the writer waits for a slow one
    return [
      {
        incident: 'writer-starvation',
        ...{ severity: hasCome(plusMillis(first.since, LONG_WAIT_MS)) ? 'warning' : 'hint', confidence: 'certain' },
        ...{ lockId, holders: [first.id], from: first.since },
        ...(first.isOlder ? { isAtLeast: true } : undefined),
        ...{ to: null, selfHealsAt: null, events: first.firstSeq === undefined ? [] : [first.firstSeq] },
        values: {
          holder: first.id,
          since: first.since,
          isAtLeast: first.isOlder === true,
          writers: writers.length,
          reads: readsAhead.reads,
          attempts: first.attempts,
        },
      },
    ];
  },
};
