import type { LockEvent } from '../events/event.ts';
import { isDense } from '../state/notes/dense-attempts.ts';
import { keyOfAttempts } from './dense-runs.ts';

type LastAttempt = { event: LockEvent; attempt: number; isInside: boolean };

/** How many of the newest events are searched for the previous attempt of a holder: other events may be in between. */
const MOST_SEARCHED = 16;

/**
 * Adds events to a list without the middle of dense runs. The first and the last attempt of a run stay, and their
 * numbers show how many there were.
 *
 *   taken   a  r1 r2 r3 r4 r5 b
 *   kept    a  r1          r5 b
 */
export class RunThinner {
  readonly #last = new Map<string, LastAttempt>();

  /** Adds the next event to the end of a list. Removes the previous attempt if it is now in the middle of a run. */
  take(list: LockEvent[], event: LockEvent): void {
    if (event.type === 'lock.acquired' && this.#last.size > 0) this.#last.delete(keyOfAttempts(event));
    if (event.type !== 'lock.refused') {
      list.push(event);
      return;
    }
    const key = keyOfAttempts(event);
    const last = this.#last.get(key);
    const isNext =
      last !== undefined &&
      !event.asleep &&
      event.attempt > last.attempt &&
      isDense(last.event.at, event.at, event.attempt - last.attempt);
    if (isNext && last.isInside) leaveOut(list, last.event);
    if (event.asleep) this.#last.delete(key);
    else this.#last.set(key, { event, attempt: event.attempt, isInside: isNext });
    if (this.#last.size > MOST_FOLLOWED) this.#last.clear();
    list.push(event);
  }
}

/** How many holders are followed. Beyond that, all are dropped, so the next attempt of each stays in the list. */
const MOST_FOLLOWED = 10_000;

function leaveOut(list: LockEvent[], event: LockEvent): void {
  for (let index = list.length - 1; index >= Math.max(0, list.length - MOST_SEARCHED); index--) {
    if (list[index] !== event) continue;
    list.splice(index, 1);
    return;
  }
}

/** Returns the events without the middle of dense runs. */
export function thinRuns(events: Iterable<LockEvent>): LockEvent[] {
  const thinner = new RunThinner();
  const list: LockEvent[] = [];
  for (const event of events) thinner.take(list, event);
  return list;
}
