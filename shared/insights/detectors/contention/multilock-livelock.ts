import type { RedisTime } from '../../../base/time.ts';
import type { LockState } from '../../../state/lock-state.ts';
import type { CircleFacts } from '../../circle-facts.ts';
import type { WorldDetector } from '../../detector.ts';
import type { FindingOf } from '../../insight.ts';
import { unseenWait } from '../../sleepers.ts';
import { WatchedCircles } from './watched-circles.ts';

type Incident = 'multilock-livelock';

/**
 * Threads that acquire multi locks wait for each other in a circle, and each of them has already released what it had
 * and begun again. A multi lock that only waits for a long hold begins again as well, so the circle is needed. The
 * finding is never certain, because it is inferred that several locks are one multi lock. `abba-deadlock` does not
 * report such a circle.
 */
export const multilockLivelock: WorldDetector<Incident> = {
  incident: 'multilock-livelock',
  effect: 'stuck',
  of: 'world',
  withoutCommands: 'nothing',
  levels: ['monitor'],
  concerns: ({ holders }) => holders.some(({ group }) => group !== undefined),
  begins: ({ waiters }) => waiters.length > 0,
  unseenOf: unseenWait,
  begin() {
    const circles = new WatchedCircles();
    const firstHolds = new FirstHolds();
    return {
      take(sight) {
        firstHolds.take(sight.lockId, sight.lock);
        circles.take(sight);
        return undefined;
      },
      needsOthers: () => circles.areAny(),
      conclude: (now) => circles.all(now).flatMap((circle) => findingOf(circle, firstHolds) ?? []),
    };
  },
};

function findingOf({ members, isLivelock }: CircleFacts, firstHolds: FirstHolds): FindingOf<Incident> | null {
  const [oldest] = [...members].sort((a, b) => sinceOf(a) - sinceOf(b));
  const { group, rounds } = oldest?.wait ?? {};
  if (!isLivelock || !oldest || !rounds || group === undefined) return null;
  const begin = members.indexOf(oldest);
  const fromOldest = [...members.slice(begin), ...members.slice(0, begin)];
  return {
    incident: 'multilock-livelock',
    ...{ severity: 'warning', confidence: 'likely' },
    // A multi lock acquires its locks in the same order in each round, so its first lock stays the same.
    lockId: firstHolds.of(group) ?? oldest.wants,
    holders: fromOldest.map(({ holder }) => holder),
    ...{ from: rounds.since, to: null, selfHealsAt: null },
    events: members.flatMap(({ wait }) => wait.firstSeq ?? []).slice(0, 20),
    values: {
      path: fromOldest.map(({ holder, wants, lock, heldBy }) => ({ holder, lock: lock.name, lockId: wants, heldBy })),
      holder: oldest.holder,
      since: rounds.since,
      restarts: rounds.round - 1,
    },
  };
}

/** When the multi lock of a member of a circle began. */
function sinceOf({ wait }: CircleFacts['members'][number]): number {
  return wait.rounds?.since ?? Number.POSITIVE_INFINITY;
}

/** The lock that each multi lock has held for the longest time. */
class FirstHolds {
  readonly #first = new Map<string, { readonly lockId: string; readonly since: RedisTime }>();

  take(lockId: string, { holders }: LockState): void {
    for (const { group, since } of holders) {
      if (group === undefined || since === null) continue;
      const known = this.#first.get(group);
      if (!known || since < known.since) this.#first.set(group, { lockId, since });
    }
  }

  of(group: string): string | undefined {
    return this.#first.get(group)?.lockId;
  }
}
