import { plusMillis } from '../../../base/time.ts';
import { KINDS } from '../../../events/kinds/kinds.ts';
import { clientOf } from '../../../events/names/names.ts';
import type { Evicted, WaiterState } from '../../../state/lock-state.ts';
import type { LockDetector, LockSight } from '../../detector.ts';
import type { FindingOf, UnseenReason } from '../../insight.ts';
import { END_SHOWN_MS, timerOf, wakeChannel } from '../../sleepers.ts';

type Incident = 'fair-live-waiter-purged';

/**
 * A waiter whose deadline had passed was evicted from the queue, but it is alive: it listens on its channel, or it came
 * back. It lost its place, and until it is back, no unlock sends it a message. One finding for each waiter.
 *
 * A waiter evicted before its deadline, by a client whose clock is ahead, is reported by `fair-clock-skew`.
 */
export const fairLiveWaiterPurged: LockDetector<Incident> = {
  incident: 'fair-live-waiter-purged',
  effect: 'other',
  of: 'lock',
  withoutCommands: 'nothing',
  levels: ['monitor'],
  needs: ['presence'],
  concerns: ({ kind, waiters }) => KINDS[kind].hasQueue === true && waiters.some(({ evicted }) => evicted),
  detect(sight) {
    let unseen: UnseenReason | undefined;
    const found: FindingOf<Incident>[] = [];
    for (const waiter of sight.lock.waiters) {
      const { evicted } = waiter;
      if (!evicted || isTooEarly(evicted) || waiter.presumedGoneAt !== null) continue;
      const finding = findingOf(sight, waiter, evicted);
      if (typeof finding === 'string') unseen = finding;
      else if (finding) found.push(finding);
    }
    return found.length === 0 && unseen ? unseen : found;
  },
};

function findingOf(
  sight: LockSight,
  waiter: WaiterState,
  evicted: Evicted,
): FindingOf<Incident> | UnseenReason | undefined {
  const { lock, lockId, watched, hasCome } = sight;
  const { presence } = sight.clientOf(clientOf(waiter.id));
  const { at, seq, backAt = null } = evicted;
  if (backAt === null) {
    if (watched.watchedSince > at) return 'blind-spot';
    if (presence === 'unknown') return 'presence';
    if (presence === 'gone' || !waiter.isAsleep) return undefined;
  }
  const timer = timerOf(waiter, lock);
  const isSure = backAt !== null || hasCome(plusMillis(at, END_SHOWN_MS));
  return {
    incident: 'fair-live-waiter-purged',
    severity: 'warning',
    confidence: isSure ? 'certain' : 'likely',
    lockId,
    holders: [waiter.id],
    from: at,
    to: backAt,
    selfHealsAt: backAt === null ? (timer ?? null) : null,
    events: [...(waiter.firstSeq === undefined ? [] : [waiter.firstSeq]), seq],
    values: {
      ...{ holder: waiter.id, at, since: waiter.since, backAt, until: timer ?? null },
      ...{ isWithoutLimit: timer === null, channel: wakeChannel(lock, waiter.id) },
    },
  };
}

/** Whether a client whose clock is ahead evicted the waiter before its deadline. */
function isTooEarly({ at, deadline, aheadMs }: Evicted): boolean {
  return aheadMs !== undefined && deadline !== null && deadline > at;
}
