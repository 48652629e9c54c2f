import { millisBetween } from '../../../base/time.ts';
import { isSameLease } from '../../../events/apply/reads/found-renewal.ts';
import type { LockEvent } from '../../../events/event.ts';
import { clientOf } from '../../../events/names/names.ts';
import type { ClientSight, LockDetector } from '../../detector.ts';
import type { Confidence, FindingOf } from '../../insight.ts';
import { stoodStillIn } from '../../standstills.ts';
import { aftermathOf, LOST_WITHIN_MS, lastBefore, losersOf } from './overlap.ts';
import { type ExpiredHold, expiredHolds, hasComeBack, isRepeated, isUpTo } from './watchdog-hold.ts';

type Incident = 'renewal-broken-after-error';
/**
 * The last release that stops renewing after a renewal without an answer, and the last that keeps the entry of a
 * deleted lock.
 */
const LAST_GIVING_UP = '3.43.0';
const LAST_KEEPING_ENTRY = '3.12.2';
/** The most renewals that one finding lists, the newest: without a holder, or not run. */
const MOST_SHOWN = 3;

/**
 * A live client stopped renewing a lock. Commands show four faults:
 *
 *   gave-up     ▲  ▲  ·····▲▲                ✕   a renewal got no answer and was repeated: both ran, and no other came
 *   stale       ▲  ▲  DEL   ┃──────✕ ┃─────✕     a lock was deleted under the client: its later holds are never renewed
 *   no-holder   ▽  ┃──▽──▽──✕                    its renewals name no holder, so they renew nothing
 *   not-run     ┃  ·····▽▽   ✕  ▽                Redis had no such script, and its answer was lost: the client loads
 *                                                the script only at its next renewal, which finds no lock
 *
 * - The first two count only for clients of releases that have these faults, by the scripts they sent. Only such
 *   releases send the renewals of the third.
 * - If the application set a lease of the same length, the second and third would look the same. So the finding is
 *   likely, and certain only from the second hold with the second fault on.
 * - A client that died after the fourth would look the same, so its holder must come back after the end.
 *
 * Without commands, the fault is `unseen`: a watchdog of the client renewed this lock before with a lease of this
 * length, this one ran out without a renewal, and the client was still there.
 */
export const renewalBrokenAfterError: LockDetector<Incident> = {
  incident: 'renewal-broken-after-error',
  effect: 'lost',
  of: 'lock',
  withoutCommands: 'hint',
  levels: ['monitor', 'replication', 'events'],
  concerns: ({ library }) => library === 'redisson',
  wants: {
    types: ['lease.expired', 'server.stood-still'],
    beside: [
      ...([
        'lock.acquired',
        'lock.found',
        'lease.renewed',
        'lease.shortened',
        'lock.deleted',
        'unlock.refused',
      ] as const),
      ...(['renewal.without-holder', 'renewal.not-run', 'renewal.refused'] as const),
    ],
    withinMs: LOST_WITHIN_MS,
  },
  detect(sight) {
    const { lockId, watched, events, clientOf: sightOf } = sight;
    const findings: FindingOf<Incident>[] = [];
    for (const hold of expiredHolds(events)) {
      const fault =
        gaveUp(hold) ??
        staleEntry(hold, events) ??
        noHolder(hold, events) ??
        notRun(hold, events) ??
        (watched.level === 'monitor' ? undefined : unseen(hold, events, sightOf(clientOf(hold.holder))));
      if (!fault) continue;
      const { holder, began, ended } = hold;
      if (fault.fault === 'unseen' && stoodStillIn(sight, began.at, ended.at)) continue;
      const { takenBy, takenAt, noticedAt, seqs } = aftermathOf(ended, holder, events);
      const endedAt = ended.expiresAt ?? ended.at;
      findings.push({
        incident: 'renewal-broken-after-error',
        severity: takenBy === null || fault.fault === 'unseen' ? 'warning' : 'critical',
        confidence: confidenceOf(fault),
        lockId,
        holders: takenBy === null ? [holder] : [holder, takenBy],
        from: endedAt,
        to: noticedAt,
        selfHealsAt: null,
        events: [began.seq, ...fault.seqs, ended.seq, ...seqs],
        values: { holder, endedAt, fault: fault.fault, times: fault.times, version: fault.version, takenBy, takenAt },
      });
    }
    return findings.length === 0 && watched.level !== 'monitor' ? 'level' : findings;
  },
};

type Fault = {
  readonly fault: FindingOf<Incident>['values']['fault'];
  readonly times: number;
  readonly version: string | null;
  readonly seqs: readonly number[];
};

function confidenceOf({ fault, times }: Fault): Confidence {
  if (fault === 'unseen') return 'hint';
  return fault === 'stale' && times > 1 ? 'certain' : 'likely';
}

function gaveUp(hold: ExpiredHold): Fault | undefined {
  const [before, last] = hold.renewals.slice(-2);
  if (before?.cause !== 'watchdog' || last?.cause !== 'watchdog' || last.clientVersion === undefined) return undefined;
  if (!isRepeated(hold) || !isUpTo(last.clientVersion, LAST_GIVING_UP)) return undefined;
  return { fault: 'gave-up', times: 1, version: last.clientVersion, seqs: [before.seq, last.seq] };
}

function staleEntry({ began, holder, renewals }: ExpiredHold, events: readonly LockEvent[]): Fault | undefined {
  const { clientVersion, leaseMs } = began;
  if (renewals.length > 0 || clientVersion === undefined || !isUpTo(clientVersion, LAST_KEEPING_ENTRY))
    return undefined;
  const client = clientOf(holder);
  const isOfClient = (id: string | undefined) => id !== undefined && clientOf(id) === client;
  const deleted = events.findLast(
    (event) => event.type === 'lock.deleted' && event.seq < began.seq && losersOf(event).some(isOfClient),
  );
  if (!deleted) return undefined;
  const watchdog = events.findLast(
    (event) => event.type === 'lease.renewed' && event.seq < deleted.seq && isOfClient(event.holder),
  );
  if (watchdog?.type !== 'lease.renewed' || watchdog.cause !== 'watchdog' || watchdog.leaseMs !== leaseMs)
    return undefined;
  const since = events.filter(({ seq }) => seq > deleted.seq);
  // one hold that was renewed since shows that the entry is not stale
  if (since.some((event) => event.type === 'lease.renewed' && isOfClient(event.holder))) return undefined;
  const times = expiredHolds(since).filter((hold) => isOfClient(hold.holder) && hold.began.seq <= began.seq).length;
  return { fault: 'stale', times, version: clientVersion, seqs: [deleted.seq] };
}

/**
 * The fault `no-holder`. Such renewals go on while no thread of the client holds the lock. Only a renewal late in the
 * hold shows that the client was alive.
 */
function noHolder({ began, ended, holder }: ExpiredHold, events: readonly LockEvent[]): Fault | undefined {
  const { leaseMs, at, expiresAt } = began;
  // the same end as at first: nothing renewed the lease, even where commands were not seen
  if (leaseMs === undefined || expiresAt === undefined || ended.expiresAt !== expiresAt) return undefined;
  const empty = events.filter(
    (event) =>
      event.type === 'renewal.without-holder' &&
      event.client === clientOf(holder) &&
      event.leaseMs === leaseMs &&
      event.seq > began.seq &&
      event.seq < ended.seq,
  );
  const last = empty.at(-1);
  if (!last || millisBetween(at, last.at) < leaseMs / 2) return undefined;
  return {
    fault: 'no-holder',
    times: empty.length,
    version: null,
    seqs: empty.slice(-MOST_SHOWN).map(({ seq }) => seq),
  };
}

/** The fault `not-run`. Renewals were sent, so a watchdog kept this hold: the application set no lease. */
function notRun({ began, ended, holder }: ExpiredHold, events: readonly LockEvent[]): Fault | undefined {
  if (began.expiresAt === undefined || ended.expiresAt !== began.expiresAt) return undefined;
  const failed = events.filter(
    (event) =>
      event.type === 'renewal.not-run' &&
      event.holder === holder &&
      event.mode === (began.mode === 'exclusive' ? undefined : began.mode) &&
      event.seq > began.seq &&
      event.seq < ended.seq,
  );
  const back = events.find((event) => event.seq > ended.seq && 'holder' in event && event.holder === holder);
  if (failed.length === 0 || (back?.type !== 'renewal.refused' && back?.type !== 'unlock.refused')) return undefined;
  const seqs = [...failed.slice(-MOST_SHOWN), back].map(({ seq }) => seq);
  return { fault: 'not-run', times: failed.length, version: null, seqs };
}

function unseen(hold: ExpiredHold, events: readonly LockEvent[], { presence }: ClientSight): Fault | undefined {
  const { began, ended, holder, renewals } = hold;
  if (ended.certainty !== 'observed' || renewals.length > 0 || ended.expiresAt !== began.expiresAt) return undefined;
  const watchdog = lastBefore(
    began,
    events,
    (event) =>
      event.type === 'lease.renewed' &&
      event.cause === 'watchdog' &&
      isSameLease(event.leaseMs ?? 0, began.leaseMs ?? 0) &&
      event.holder !== undefined &&
      clientOf(event.holder) === clientOf(holder),
  );
  const isAlive = presence === 'connected' || presence === 'idle' || hasComeBack(hold, events);
  if (!watchdog || !isAlive) return undefined;
  return { fault: 'unseen', times: 1, version: null, seqs: [watchdog.seq] };
}
