import { type Millis, millisBetween, plusMillis, type RedisTime, redisTime } from '../../base/time.ts';
import type { LockState } from '../../state/lock-state.ts';
import type { WorldDetector } from '../detector.ts';
import type { FindingOf } from '../insight.ts';
import { watchdogOf } from '../renewals.ts';
import { WaitCircles, type WaitStep } from '../wait-circles.ts';

type Incident = 'abba-deadlock';

/** A circle that has existed for this long is certain: a watchdog has renewed each lock twice by then. */
const CERTAIN_AFTER_MS: Millis = 20_000;

/**
 * Threads wait for each other in a circle. Only refused attempts show who waits, so level `monitor` is needed. A wait that
 * began before a blind spot may have ended in it.
 */
export const abbaDeadlock: WorldDetector<Incident> = {
  incident: 'abba-deadlock',
  of: 'world',
  levels: ['monitor'],
  concerns: ({ holders }) => holders.length > 0,
  begin() {
    const circles = new WaitCircles();
    const locks = new Map<string, LockState>();
    return {
      take({ lock, lockId, watched }) {
        if (lock.waiters.length > 0) locks.set(lockId, lock);
        return circles.take(lockId, lock, watched.watchedSince) ? 'blind-spot' : undefined;
      },
      conclude: (now) => circles.all().map((steps) => findingOf(steps, locks, now)),
    };
  },
};

function findingOf(
  steps: readonly WaitStep[],
  locks: ReadonlyMap<string, LockState>,
  now: RedisTime,
): FindingOf<Incident> {
  const members = steps.map(({ holder, wants, heldBy }) => {
    const lock = locks.get(wants);
    const wait = lock?.waiters.find(({ id }) => id === holder);
    return { holder, wants, lock, wait, heldBy };
  });
  const from = redisTime(Math.max(...members.map(({ wait }) => wait?.since ?? 0)));
  const endsAt = members.reduce<RedisTime | null>(
    (first, { lock }) => earlier(first, lock && unrenewedEnd(lock, now)),
    null,
  );
  return {
    incident: 'abba-deadlock',
    severity: 'critical',
    confidence: now >= plusMillis(from, CERTAIN_AFTER_MS) ? 'certain' : 'likely',
    lockId: steps[0]?.wants ?? '',
    holders: steps.map(({ holder }) => holder),
    from,
    to: null,
    selfHealsAt: endsAt,
    events: members.flatMap(({ wait }) => wait?.firstSeq ?? []),
    values: {
      path: members.map(({ holder, wants, lock, heldBy }) => ({ holder, lock: lock?.name ?? wants, heldBy })),
      endsAt,
    },
  };
}

/** When the lease of a lock ends that no watchdog renews; null: a watchdog may renew it. */
function unrenewedEnd(lock: LockState, now: RedisTime): RedisTime | null {
  const isFixed = lock.holders.every((holder) => watchdogOf(lock, holder, now) === 'off');
  return isFixed && lock.expiresAt !== null && millisBetween(now, lock.expiresAt) > 0 ? lock.expiresAt : null;
}

function earlier(a: RedisTime | null, b: RedisTime | null | undefined): RedisTime | null {
  if (a === null || b == null) return a ?? b ?? null;
  return a < b ? a : b;
}
