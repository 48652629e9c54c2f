import { millisBetween } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import { circleAmong } from '../../../shared/insights/wait-circles.ts';
import type { DemoReport } from '../../../shared/wire/demo.ts';
import { groupOf, heldIn, majorityOf, type StageGroup } from '../script/groups.ts';
import type { MomentChange } from '../script/moments-from-run.ts';
import { serverNow } from '../script/nodes.ts';
import { actorOf, keyOfLock, lockOfEvent, type StageLock, type StageRun } from '../script/run.ts';
import { asleepAt, CROWD } from '../script/tally.ts';
import type { SeveralCaption } from './several-caption.ts';

/** The caption about many threads or several locks; null: no caption; undefined: the caption for one lock. */
export function captionOfSeveral(
  run: StageRun,
  reported: MomentChange,
  bySeq: ReadonlyMap<number, LockEvent>,
): SeveralCaption | null | undefined {
  if (reported.moment.kind === 'client-report') return localCaption(run, reported, reported.moment.report);
  if (reported.moment.kind === 'server') {
    const { server, name } = reported.moment.fault;
    return { is: `server-${name}`, server };
  }
  if (reported.moment.kind !== 'event') return undefined;
  const { event } = reported.moment;
  if (event.type === 'lock.lost') return lostCaption(run, reported, event.holder, 'lost');
  if (event.type === 'unlock.refused' && reported.before.lostHolds.has(event.holder)) {
    return lostCaption(run, reported, event.holder, 'lost-unlock');
  }
  // a thread waits for a lock in its own memory, not for this lock
  const isThreadStuck = [...reported.before.locals.values()].some(({ waiting }) => waiting !== null);
  if (event.type === 'lock.released' && isThreadStuck) {
    return { is: 'released', who: actorOf(run, event.holder).letter, lock: run.lock, server: null };
  }
  const crowd = crowdCaption(run, reported, event, bySeq);
  if (crowd !== undefined || run.locks.length < 2) return crowd;
  return circleCaption(run, reported, event) ?? lockCaption(run, reported, event);
}

/** The caption of a hold that is missing on the promoted server. */
function lostCaption(
  run: StageRun,
  { after }: MomentChange,
  holder: string,
  is: 'lost' | 'lost-unlock',
): SeveralCaption {
  const [on] = run.locks;
  return { is, who: actorOf(run, holder).letter, server: (on && serverNow(run, after, on)) ?? '' };
}

/** The caption of a client's report: about a lock in its memory, or about a refused group. */
function localCaption(
  run: StageRun,
  { before }: MomentChange,
  { client: who, lock, name, thread, waitedMs = 0, have = 0, of = 0 }: DemoReport,
): SeveralCaption | null {
  // for a multi lock, the events themselves show the rollback
  if (name === 'group-refused') return run.servers.length === 0 ? null : { is: 'no-majority', who, have, of };
  if (name === 'local-gave-up' || name === 'local-let-go') return { is: name, who, afterMs: waitedMs };
  if (name !== 'local-waits') return { is: name, who, lock };
  const isOwn = before.locals.get(lock)?.takenBy === thread;
  return { is: isOwn ? 'local-waits-for-itself' : 'local-waits', who, lock };
}

/** The caption when a circle closes, or when a waiter that gives up breaks it. */
function circleCaption(
  run: StageRun,
  { before, after, moment }: MomentChange,
  event: LockEvent,
): SeveralCaption | undefined {
  const was = circleAmong(before.locks);
  const is = circleAmong(after.locks);
  if (!was && is) return { is: 'circle', who: is.map(({ holder }) => actorOf(run, holder).letter) };
  if (!was || is || event.type !== 'waiter.dequeued') return undefined;
  const since = before.lock?.waiters.find(({ id }) => id === event.holder)?.since;
  const afterMs = since === undefined ? 0 : millisBetween(since, moment.at);
  return { is: 'circle-broken', who: actorOf(run, event.holder).letter, afterMs };
}

/** The caption of one lock with its name; for a member of a group, about its part in the group. */
function lockCaption(
  run: StageRun,
  { before, after }: MomentChange,
  event: LockEvent,
): SeveralCaption | null | undefined {
  const key = lockOfEvent(run, event);
  const on = run.locks.find((lock) => keyOfLock(lock) === key);
  if (!on || !('holder' in event) || event.holder === undefined) return undefined;
  const at = { lock: on.name, server: serverOf(run, on) };
  const who = actorOf(run, event.holder).letter;
  const group = groupOf(after.groups, event);
  const of = run.locks.length;
  switch (event.type) {
    case 'lock.acquired':
      if (event.wokenBy !== undefined) return undefined;
      return (group && memberCaption(run, group, who, at)) ?? { is: 'taken', who, ...at };
    case 'lock.refused':
      if (event.asleep) return event.wokenBy === undefined ? { is: 'asleep', who, ...at } : null;
      if (event.attempt > 1) return null;
      if (group && run.servers.length === 0) return { is: 'group-refused', who, ...at, of };
      return { is: 'refused', who, ...at, leftMs: event.ttlMs };
    case 'lock.released':
      if (event.groupStep === 'roll-back') return { is: 'rolled-back', who, ...at };
      return { is: asleepAt(before.lock) > 0 ? 'released-to-waiter' : 'released', who, ...at };
    case 'unlock.refused':
      return event.groupStep === 'never-held' ? { is: 'never-held', who, ...at } : undefined;
    default:
      return undefined;
  }
}

/** The caption of one more held member: how many there are, and whether that is enough. Undefined for the first. */
function memberCaption(
  { locks, servers }: StageRun,
  group: StageGroup,
  who: string,
  at: { lock: string; server: string | null },
): SeveralCaption | undefined {
  const have = heldIn(group);
  if (have < 2) return undefined;
  const of = locks.length;
  const isEnough = have === (servers.length > 0 ? majorityOf(of) : of);
  if (isEnough && servers.length > 0) return { is: 'majority', who, have, of };
  return { is: isEnough ? 'group-complete' : 'group-took', who, ...at, have, of };
}

function serverOf({ servers }: StageRun, { source }: StageLock): string | null {
  return servers.find((server) => server.source === source)?.name ?? null;
}

/** The caption of a crowd: if three or more waiters sleep at one lock, it counts them. */
function crowdCaption(
  run: StageRun,
  { before, after }: MomentChange,
  event: LockEvent,
  bySeq: ReadonlyMap<number, LockEvent>,
): SeveralCaption | null | undefined {
  const asleep = asleepAt(before.lock);
  const isLater = (before.tally?.rounds.length ?? 0) > 0;
  switch (event.type) {
    case 'lock.refused': {
      const who = actorOf(run, event.holder).letter;
      if (event.wokenBy === 'message' && isLater) {
        const isFirst = before.tally?.rounds.length === 1 && (before.tally.rounds[0]?.asked ?? 0) <= 1;
        return isFirst ? { is: 'crowd-lost', who } : null;
      }
      if (!event.asleep) return asleep >= CROWD - 1 ? null : undefined;
      if (event.wokenBy !== undefined) return asleep >= CROWD - 1 ? null : undefined;
      const now = asleepAt(after.lock);
      return now >= CROWD ? { is: 'crowd-asleep', asleep: now } : undefined;
    }
    case 'lock.released': {
      const isAgain = isLater && asleep > 0;
      if (!isAgain && asleep < CROWD) return undefined;
      const listeners = before.lock?.subscribers ?? null;
      return {
        is: isAgain ? 'crowd-message-again' : 'crowd-message',
        who: actorOf(run, event.holder).letter,
        listeners,
      };
    }
    case 'lock.acquired': {
      if (event.wokenBy !== 'message' || !isLater) return undefined;
      const message = (event.because ?? []).map((seq) => bySeq.get(seq)).find((cause) => cause !== undefined);
      const afterMs = message ? millisBetween(message.at, event.at) : null;
      return { is: 'crowd-won', who: actorOf(run, event.holder).letter, afterMs };
    }
    default:
      return undefined;
  }
}
