import type { LockEvent } from '../events/event.ts';
import { isDense, keyOfAttempts } from './dense-runs.ts';

type Last = { event: LockEvent; attempt: number; isInside: boolean };

/** The attempt before is looked for among so many of the newest events: others come in between. */
const NEAR = 16;

/**
 * Takes events into a list and leaves out what is in the midst of dense runs: of thousands of attempts the first and the
 * last stay, and their numbers say how many there were.
 *
 *   taken   a  r1 r2 r3 r4 r5 b
 *   kept    a  r1          r5 b
 */
export class RunThinner {
  readonly #last = new Map<string, Last>();

  /** Puts the next event at the end of a list, in the place of the attempt before where that says nothing more. */
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

/** Holders followed at once; with more nothing is left out for a moment. */
const MOST_FOLLOWED = 10_000;

function leaveOut(list: LockEvent[], event: LockEvent): void {
  for (let index = list.length - 1; index >= Math.max(0, list.length - NEAR); index--) {
    if (list[index] !== event) continue;
    list.splice(index, 1);
    return;
  }
}

/** The events without what is in the midst of dense runs. */
export function thinRuns(events: Iterable<LockEvent>): LockEvent[] {
  const thinner = new RunThinner();
  const list: LockEvent[] = [];
  for (const event of events) thinner.take(list, event);
  return list;
}
