import { OBSERVE_LEVELS } from '../../../base/observe-level.ts';
import { type ClientDump, isBefore, javaIdOf, threadSight } from '../../../dumps/client-dump.ts';
import { clientOf, isOfTransaction } from '../../../events/names/names.ts';
import { endsByItself } from '../../../state/hold-end.ts';
import { type HolderState, waitingFor } from '../../../state/lock-state.ts';
import type { LockDetector, LockSight } from '../../detector.ts';
import type { FindingOf } from '../../insight.ts';
import { watchdogOf } from '../../renewals.ts';

type Incident = 'holder-thread-ended';

/** How many holders of one lock are reported, each by a finding of its own. */
const MOST_NAMED = 20;

/**
 * A thread dump that lists every thread of the client has no thread with the id of a holder. The hold is older than the
 * dump and has not ended. So the thread that acquired the lock has probably ended without an unlock. The finding is
 * never certain, because the application may have passed another id to `lockAsync()`. Nothing is reported if a thread
 * that is not listed may exist (`listsEveryThread`).
 */
export const holderThreadEnded: LockDetector<Incident> = {
  incident: 'holder-thread-ended',
  effect: 'stuck',
  of: 'lock',
  withoutCommands: 'same',
  levels: OBSERVE_LEVELS,
  concerns: ({ holders }) => holders.some(({ mode }) => mode !== 'permit'),
  detect(sight) {
    return sight.lock.holders.flatMap((holder) => findingOf(sight, holder) ?? []).slice(0, MOST_NAMED);
  },
};

function findingOf(sight: LockSight, holder: HolderState): FindingOf<Incident> | null {
  const { lock, lockId, now } = sight;
  const { id, mode, since } = holder;
  const client = clientOf(id);
  const dump = sight.dumps.get(client);
  const thread = javaIdOf(id);
  if (!dump || thread === null || mode === 'permit' || isOfTransaction(id)) return null;
  if (dump.takenAt === null || dump.takenAt > now || !isMissing(dump, holder)) return null;
  if (sight.clientOf(client).presence === 'gone') return null; // `holder-crashed-wait-ttl` explains it
  const watchdog = watchdogOf(lock, holder, now);
  const endsAt = watchdog === 'off' ? endsByItself(lock, holder) : null;
  const waiting = waitingFor(lock);
  return {
    incident: 'holder-thread-ended',
    severity: waiting === 0 ? 'hint' : watchdog === 'on' ? 'critical' : 'warning',
    confidence: 'likely',
    lockId,
    holders: [id],
    from: dump.takenAt,
    to: null,
    selfHealsAt: endsAt,
    events: holder.firstSeq === undefined ? [] : [holder.firstSeq],
    values: {
      ...{ holder: id, thread, dumpAt: dump.takenAt, since, endsAt, waiting },
      listsVirtual: dump.dump.listsVirtual,
      isRenewed: watchdog === 'unknown' ? null : watchdog === 'on',
    },
  };
}

function isMissing(dump: ClientDump, { id, since, firstAt }: HolderState): boolean {
  return isBefore(since ?? firstAt, dump.takenAt) && threadSight(dump, id).found === 'missing';
}
