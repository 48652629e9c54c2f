import { millisBetween } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import type { DemoTelling } from '../../shared/wire/demo.ts';
import { circleIn } from './circle.ts';
import type { Told } from './moments-from-run.ts';
import { actorOf, lockOfEvent, nameOnStage, type StageRun } from './run.ts';
import type { SeveralCaption } from './several-caption.ts';
import { asleepAt, CROWD } from './tally.ts';

/** What is said where many threads or several locks are on the stage; undefined: what is said of one lock. */
export function captionOfSeveral(
  run: StageRun,
  told: Told,
  bySeq: ReadonlyMap<number, LockEvent>,
): SeveralCaption | null | undefined {
  if (told.moment.kind === 'telling') return localCaption(told, told.moment.telling);
  if (told.moment.kind !== 'event') return undefined;
  const { event } = told.moment;
  const crowd = crowdCaption(run, told, event, bySeq);
  if (crowd !== undefined || run.locks.length < 2) return crowd;
  return circleCaption(run, told, event) ?? lockCaption(run, told, event);
}

/** What a client tells of a lock in its memory. */
function localCaption(
  { before }: Told,
  { client: who, lock, name, thread, waitedMs = 0 }: DemoTelling,
): SeveralCaption {
  if (name === 'local-gave-up' || name === 'local-let-go') return { is: name, who, afterMs: waitedMs };
  if (name !== 'local-waits') return { is: name, who, lock };
  const isOwn = before.locals.get(lock)?.takenBy === thread;
  return { is: isOwn ? 'local-waits-for-itself' : 'local-waits', who, lock };
}

/** One circle closes, or opens again. */
function circleCaption(run: StageRun, { before, after, moment }: Told, event: LockEvent): SeveralCaption | undefined {
  const was = circleIn(before);
  const is = circleIn(after);
  if (!was && is) return { is: 'circle', who: is.map(({ holder }) => actorOf(run, holder).letter) };
  if (!was || is || event.type !== 'waiter.dequeued') return undefined;
  const since = before.lock?.waiters.find(({ id }) => id === event.holder)?.since;
  const afterMs = since === undefined ? 0 : millisBetween(since, moment.at);
  return { is: 'circle-broken', who: actorOf(run, event.holder).letter, afterMs };
}

/** What is said of one lock, with its name. */
function lockCaption(run: StageRun, { before }: Told, event: LockEvent): SeveralCaption | null | undefined {
  const key = lockOfEvent(run, event);
  const on = run.locks.find((lock) => lockOfEvent({ locks: [lock] }, event) === key);
  if (key === null || !on || !('holder' in event) || event.holder === undefined) return undefined;
  const lock = nameOnStage(run, on);
  const who = actorOf(run, event.holder).letter;
  switch (event.type) {
    case 'lock.acquired':
      if (event.wokenBy !== undefined) return undefined;
      return { is: 'taken', who, lock };
    case 'lock.refused':
      if (event.asleep) return event.wokenBy === undefined ? { is: 'asleep', who, lock } : null;
      return event.attempt > 1 ? null : { is: 'refused', who, lock, leftMs: event.ttlMs };
    case 'lock.released':
      return { is: asleepAt(before.lock) > 0 ? 'released-to-waiter' : 'released', who, lock };
    default:
      return undefined;
  }
}

/** Where three or more sleep at one lock, they are counted instead of told one by one. */
function crowdCaption(
  run: StageRun,
  { before, after }: Told,
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
      if (isLater && asleep > 0) return null;
      if (asleep < CROWD) return undefined;
      const listeners = before.lock?.subscribers ?? null;
      return { is: 'crowd-told', who: actorOf(run, event.holder).letter, listeners };
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
