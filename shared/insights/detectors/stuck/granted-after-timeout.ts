import { type Millis, millisBetween, plusMillis, type RedisTime } from '../../../base/time.ts';
import type { DetailOf, LockEvent } from '../../../events/event.ts';
import { KINDS } from '../../../events/kinds/kinds.ts';
import { clientOf } from '../../../events/names/names.ts';
import { endsByItself } from '../../../state/hold-end.ts';
import { type HolderState, waitingFor } from '../../../state/lock-state.ts';
import type { LockDetector, LockSight } from '../../detector.ts';
import type { FindingOf } from '../../insight.ts';
import { DEFAULT_WATCHDOG_MS } from '../../lease-renewal.ts';
import { watchdogStoppedAfter } from '../../renewals.ts';

type Incident = 'granted-after-timeout';
type Standstill = LockEvent & DetailOf<'server.stood-still'>;

/** A client waits this long for an answer if its setting `timeout` is the default. */
const TIMEOUT: Millis = 3000;
/** Attempts that arrived while Redis did not answer run this soon after it. */
const AT_ONCE: Millis = 100;
const WITHIN: Millis = 10 * 60_000;

/**
 * Redis stood still for longer than a client waits for an answer, and ran the attempt of such a client right after
 * that. By then, the thread may have got an error: it does not know that it acquired the lock, and its watchdog was
 * never started. While the client had no answer, it may have sent the attempt again. All of these attempts run right
 * after the standstill, and each but the first counts as a re-entry.
 *
 * The finding is only likely, because a hold with an explicit lease of the same length looks the same. Holds with
 * another explicit lease and read-write locks are left out.
 */
export const grantedAfterTimeout: LockDetector<Incident> = {
  incident: 'granted-after-timeout',
  effect: 'orphaned',
  of: 'lock',
  withoutCommands: 'nothing',
  levels: ['monitor'],
  needs: ['presence'],
  concerns: ({ library, kind, leaseMs, holders }) =>
    library === 'redisson' &&
    leaseMs === DEFAULT_WATCHDOG_MS &&
    KINDS[kind].hasReaders !== true &&
    holders.some((holder) => holder.renewals === 0 && isOneCall(holder)),
  wants: { types: ['server.stood-still'], beside: [], withinMs: WITHIN },
  detect(sight) {
    const { lock, lockId, isPast } = sight;
    const findings: FindingOf<Incident>[] = [];
    for (const holder of lock.holders) {
      const { id, since, renewals } = holder;
      const stopped = watchdogStoppedAfter(lock, holder);
      if (since === null || renewals > 0 || !isOneCall(holder) || stopped === null || !isPast(stopped)) continue;
      const stop = standstillBefore(since, sight.sourceEvents);
      if (!stop) continue;
      const { presence } = sight.clientOf(clientOf(id));
      if (presence === 'unknown') return 'presence';
      if (presence === 'gone' || isBlind(sight, since)) continue;
      const endsAt = endsByItself(lock, holder);
      findings.push({
        incident: 'granted-after-timeout',
        severity: 'warning',
        confidence: 'likely',
        lockId,
        holders: [id],
        from: since,
        to: null,
        selfHealsAt: endsAt,
        events: [stop.seq, ...(holder.firstSeq === undefined ? [] : [holder.firstSeq])],
        values: { holder: id, since, stoodFrom: stop.from, stoodTo: stop.to, endsAt, waiting: waitingFor(lock) },
      });
    }
    return findings;
  },
};

/**
 * Whether one call may have made this hold: each re-entry came right after the acquisition, and there was no unlock.
 */
function isOneCall({ since, holdCount, reentries }: HolderState): boolean {
  if (!reentries) return holdCount === 1;
  const { lastAt, leftAt } = reentries;
  return since !== null && leftAt === undefined && plusMillis(since, AT_ONCE) > lastAt;
}

/** The standstill that ended just before an instant and lasted at least as long as a client waits. */
function standstillBefore(at: RedisTime, events: readonly LockEvent[]): Standstill | undefined {
  return events.find(
    (event): event is Standstill =>
      event.type === 'server.stood-still' &&
      millisBetween(event.from, event.to) >= TIMEOUT &&
      event.to <= plusMillis(at, 1) &&
      plusMillis(event.to, AT_ONCE) > at,
  );
}

/** Whether a renewal may have come while the source was not watched. */
function isBlind({ watched }: LockSight, since: RedisTime): boolean {
  return watched.watchedSince > since;
}
