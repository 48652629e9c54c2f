import { type RedisTime, redisTime } from '../../../base/time.ts';
import type { LockState } from '../../../state/lock-state.ts';
import { type CircleFacts, circleFacts } from '../../circle-facts.ts';
import type { LockSight } from '../../detector.ts';
import { withoutGone } from '../../sleepers.ts';
import { WaitCircles } from '../../wait-circles.ts';

/** The circles of threads over all locks of a run. Threads of clients that are gone do not wait. */
export class WatchedCircles {
  readonly #circles = new WaitCircles();
  readonly #locks = new Map<string, LockState>();
  /** Until when time is counted for each lock. */
  readonly #until = new Map<string, RedisTime>();

  take({ lock, lockId, countedUntil, watched, clientOf: sightOf }: LockSight): void {
    if (lock.waiters.length > 0) this.#locks.set(lockId, lock);
    this.#until.set(lockId, countedUntil);
    this.#circles.take(lockId, withoutGone(lock, sightOf), lock.source, watched.watchedSince);
  }

  /**
   * Whether a circle is possible, once all locks with waiters were taken. Other locks can only show that a thread no
   * longer waits, so that there are fewer circles.
   */
  areAny(): boolean {
    return this.#circles.all().length > 0;
  }

  /**
   * The facts about each circle. `until`: the instant of these facts; no later time is counted for the locks of the
   * circle.
   */
  all(now: RedisTime): (CircleFacts & { readonly until: RedisTime })[] {
    return this.#circles.all().flatMap((steps) => {
      const until = redisTime(Math.min(now, ...steps.map(({ wants }) => this.#until.get(wants) ?? now)));
      const facts = circleFacts(steps, this.#locks, until);
      return facts ? [{ ...facts, until }] : [];
    });
  }
}
