import { type Millis, plusMillis, type RedisTime } from '../../../base/time.ts';
import { type CircleFacts, ROLLED_BACK_MS } from '../../circle-facts.ts';
import type { WorldDetector } from '../../detector.ts';
import type { Confidence, FindingOf } from '../../insight.ts';
import { unseenWait } from '../../sleepers.ts';
import { WatchedCircles } from './watched-circles.ts';

type Incident = 'abba-deadlock';

/** A younger circle may consist of attempts with a short time limit, which end the circle. */
const SETTLED_MS: Millis = 2000;

/**
 * Threads wait for each other in a circle, or a reader waits for the write lock of its own read-write lock. Only
 * refused attempts show which threads wait, so level `monitor` is needed. A wait that began before a blind spot may
 * have ended in it, so it is left out. A circle of multi locks ends by itself and begins again: `multilock-livelock`
 * reports it from the second round on.
 */
export const abbaDeadlock: WorldDetector<Incident> = {
  incident: 'abba-deadlock',
  effect: 'stuck',
  of: 'world',
  withoutCommands: 'nothing',
  levels: ['monitor'],
  needsWaiters: true,
  concerns: ({ holders }) => holders.length > 0,
  begins: ({ waiters }) => waiters.length > 0,
  unseenOf: unseenWait,
  begin() {
    const circles = new WatchedCircles();
    return {
      take(sight) {
        circles.take(sight);
        return undefined;
      },
      needsOthers: () => circles.areAny(),
      conclude: (now) => circles.all(now).flatMap((circle) => findingOf(circle, circle.until) ?? []),
    };
  },
};

function findingOf(circle: CircleFacts, now: RedisTime): FindingOf<Incident> | null {
  const { members, from, isAtLeast, leaseEndsAt, release, isRolledBack, isLivelock, doubts } = circle;
  if (isLivelock) return null;
  if (now < plusMillis(from, isRolledBack ? ROLLED_BACK_MS : SETTLED_MS)) return null;
  return {
    incident: 'abba-deadlock',
    severity: 'critical',
    confidence: confidenceOf(circle, now),
    lockId: members[0]?.wants ?? '',
    holders: members.map(({ holder }) => holder),
    from,
    ...(isAtLeast ? { isAtLeast } : undefined),
    to: null,
    selfHealsAt: leaseEndsAt,
    events: members.flatMap(({ wait }) => wait.firstSeq ?? []),
    values: {
      path: members.map(({ holder, wants, lock, heldBy }) => ({ holder, lock: lock.name, lockId: wants, heldBy })),
      endsAt: leaseEndsAt,
      isUpgrade: members.length === 1,
      doubts,
      release: release.lock.name,
      releaseOf: release.heldBy,
    },
  };
}

/**
 * The confidence is that of a hint if a thread did not attempt again when its timer ended, and no command would show
 * that it gave up: the thread is about as likely to have gone on as to still wait.
 */
function confidenceOf({ provenAt, doubts }: CircleFacts, now: RedisTime): Confidence {
  const isOverdue = (holder: string) => doubts.some((each) => each.holder === holder && each.why === 'overdue');
  if (doubts.some(({ holder, why }) => why !== 'overdue' && isOverdue(holder))) return 'hint';
  return now >= provenAt && doubts.length === 0 ? 'certain' : 'likely';
}
