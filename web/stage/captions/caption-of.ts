import { millisBetween } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import { clientOf } from '../../../shared/events/names/names.ts';
import type { DemoFault } from '../../../shared/wire/demo.ts';
import type { MomentChange } from '../script/moments-from-run.ts';
import { actorOf, hasWatchdog, type StageRun } from '../script/run.ts';
import { worksBeside } from '../script/together.ts';
import type { World } from '../script/world.ts';
import type { Caption } from './caption.ts';
import { captionOfKind } from './caption-of-kind.ts';
import { captionOfSeveral } from './caption-of-several.ts';

type Event<Type extends LockEvent['type']> = Extract<LockEvent, { type: Type }>;

/** The first renewal counts as regular if its delay is within 15 % of a third of the lease. */
const REGULAR_WITHIN = 0.15;

/** The caption of a moment; null: no caption. It depends only on this and earlier moments. */
export function captionOf(
  run: StageRun,
  reported: MomentChange,
  bySeq: ReadonlyMap<number, LockEvent>,
): Caption | null {
  const { moment, before } = reported;
  const several = captionOfSeveral(run, reported, bySeq);
  if (several !== undefined) return several && { is: 'several', what: several };
  const ofKind = captionOfKind(run, reported, bySeq);
  if (ofKind !== undefined) return ofKind && { is: 'of-kind', what: ofKind };
  if (moment.kind === 'overdue') return { is: 'overdue' };
  if (moment.kind === 'fault') return faultCaption(run, reported, moment.fault);
  if (moment.kind === 'client-report' || moment.kind === 'server') return null;
  const { event } = moment;
  const who = (holder: string) => actorOf(run, holder).letter;
  switch (event.type) {
    case 'lock.acquired':
      return acquiredCaption(run, reported, event, bySeq);
    case 'lock.reentered':
      return { is: 'entered-again', who: who(event.holder), count: event.holdCount ?? 2 };
    case 'lease.renewed':
      return renewedCaption(run, reported, event);
    case 'lock.refused':
      return refusedCaption(run, reported, event);
    case 'lock.released': {
      const isHeard = before.lock?.waiters.some(({ isAsleep }) => isAsleep) === true;
      return { is: isHeard ? 'released-to-waiter' : 'released-to-nobody', who: who(event.holder) };
    }
    case 'lock.partially-released':
      return { is: 'released-once', who: who(event.holder), count: event.holdCount ?? 1 };
    case 'unlock.refused': {
      const isLate = event.reason === 'expired' || hasExpired(run, before, event);
      const isFree = event.reason === 'no-lock';
      const is = isLate ? 'unlock-refused-late' : isFree ? 'unlock-refused-free' : 'unlock-refused';
      return { is, who: who(event.holder) };
    }
    case 'renewal.refused':
      return { is: 'renewal-refused', who: who(event.holder) };
    case 'lease.expired':
      return { is: 'expired', who: event.holder === undefined ? '' : who(event.holder) };
    case 'lock.force-released':
    case 'lock.deleted':
    case 'lock.evicted':
    case 'db.flushed': {
      const holder = event.holder ?? before.lock?.holders[0]?.id;
      return holder === undefined ? null : { is: 'taken-away', who: who(holder) };
    }
    case 'waiter.dequeued': {
      if (event.reason !== 'gave-up') return null;
      const since = before.lock?.waiters.find(({ id }) => id === event.holder)?.since;
      const afterMs = since === undefined ? null : millisBetween(since, moment.at);
      return { is: 'gave-up', who: who(event.holder), afterMs };
    }
    default:
      return null;
  }
}

function acquiredCaption(
  run: StageRun,
  { before }: MomentChange,
  event: Event<'lock.acquired' | 'lock.reentered'>,
  bySeq: ReadonlyMap<number, LockEvent>,
): Caption {
  const who = actorOf(run, event.holder).letter;
  const believer = before.beliefs.find(({ holder }) => holder !== event.holder);
  if (event.wokenBy === 'message') {
    const message = (event.because ?? []).map((seq) => bySeq.get(seq)).find((cause) => cause !== undefined);
    return { is: 'woken-by-message', who, afterMs: message ? millisBetween(message.at, event.at) : 0 };
  }
  if (believer && before.clients.get(clientOf(believer.holder)) !== 'frozen') {
    return { is: 'taken-while-believed', who, other: actorOf(run, believer.holder).letter };
  }
  if (event.wokenBy === 'own-timer') return { is: 'woken-by-timer', who };
  if (event.mode === 'read' || event.mode === 'write') return { is: 'mode-taken', who, mode: event.mode };
  const leaseMs = event.leaseMs ?? null;
  if (leaseMs !== null && !hasWatchdog(run, leaseMs)) return { is: 'taken-short', who, leaseMs };
  return { is: before.heldBefore.has(event.holder) ? 'taken-again' : 'taken', who, leaseMs };
}

/** The first renewal of a run has a caption; later ones have none. */
function renewedCaption(run: StageRun, { before }: MomentChange, event: Event<'lease.renewed'>): Caption | null {
  if (before.renewals > 0 || event.holder === undefined) return null;
  const setAt = before.lock?.holders.find(({ id }) => id === event.holder)?.leaseSetAt ?? null;
  if (setAt === null) return null;
  const afterMs = millisBetween(setAt, event.at);
  const third = (event.leaseMs ?? 0) / 3;
  const isRegular = Math.abs(afterMs - third) <= third * REGULAR_WITHIN;
  const isAfterReentry = run.events.some(
    (other) => other.type === 'lock.reentered' && other.at === setAt && other.holder === event.holder,
  );
  const pace = isRegular ? 'regular' : isAfterReentry ? 'after-reentry' : 'other';
  return { is: 'renewed', who: actorOf(run, event.holder).letter, afterMs, pace };
}

function refusedCaption(run: StageRun, { before }: MomentChange, event: Event<'lock.refused'>): Caption | null {
  const who = actorOf(run, event.holder).letter;
  if (event.asleep) return event.wokenBy === undefined ? { is: 'asleep', who } : null;
  if (event.attempt > 1) return null;
  const isGone = before.lock?.holders.some(({ id }) => before.clients.get(clientOf(id)) === 'dead') === true;
  return { is: isGone ? 'refused-by-gone' : 'refused', who, leftMs: event.ttlMs };
}

const FAULT = {
  frozen: 'froze',
  thawed: 'thawed',
  started: 'started',
  cut: 'was-cut',
  healed: 'healed',
} as const satisfies Partial<Record<DemoFault['name'], Caption['is']>>;

function faultCaption(run: StageRun, { before, after }: MomentChange, fault: DemoFault): Caption {
  const who = run.cast.find(({ uuids }) => uuids.includes(fault.uuid))?.id ?? fault.client;
  const other = fault.name === 'thawed' ? worksBeside(after, fault.uuid) : undefined;
  if (other !== undefined) return { is: 'thawed-while-taken', who, other: actorOf(run, other).letter };
  if (fault.name !== 'killed') return { is: FAULT[fault.name], who };
  const holders = [...before.locks.values()].flatMap((lock) => lock.holders);
  if (holders.some(({ id }) => clientOf(id) === fault.uuid)) return { is: 'crashed', who };
  // Permits have a caption of their own, because no watchdog renews them. A permit without a known client may belong to
  // the killed client.
  const mayHold = holders.some(({ id, mode, client }) => {
    const taker = before.takers.get(id) ?? client ?? id;
    return mode === 'permit' && (taker === '' || actorOf(run, taker).client === who);
  });
  return { is: mayHold ? 'killed-with-permits' : 'killed', who };
}

/** Whether the holder still thinks that it holds the lock, and what ended its hold was the end of its lease. */
function hasExpired(
  run: StageRun,
  { beliefs }: World,
  { seq, source, lock, holder }: Event<'unlock.refused'>,
): boolean {
  if (!beliefs.some((belief) => belief.holder === holder)) return false;
  const isBefore = (other: LockEvent) => other.seq < seq && other.source === source && other.lock === lock;
  const last = run.events.findLast(
    (other) => isBefore(other) && BEGINS_OR_ENDS.has(other.type) && 'holder' in other && other.holder === holder,
  );
  return last?.type === 'lease.expired';
}

/** Events of one holder with which its hold begins, or ends without its unlock. */
const BEGINS_OR_ENDS: ReadonlySet<string> = new Set([
  ...(['lock.acquired', 'lease.expired', 'lock.lost', 'lock.force-released'] as const),
  ...(['lock.deleted', 'lock.evicted'] as const),
]);
