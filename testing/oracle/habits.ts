import type { Expected } from './expected.ts';
import type { Reported } from './judge.ts';
import { isAttempt, isBusy, isSomethingElse } from './leaving.ts';
import { clientOf } from './tracker.ts';
import { keyOf, PUNCTUAL, type Wait } from './wakers.ts';

/** How many quiet sleeps show that a client's threads do nothing else while they sleep (W11). */
const QUIET_SLEEPS = 3;

type Habit = { quiet: number; isAsynchronous: boolean; left?: Wait };

/** Which clients' threads do nothing else while they sleep, by rule W11 of `shared/state/RULES.md`. */
export class Habits {
  readonly #habits = new Map<string, Habit>();
  /** The newest wait of each thread. */
  readonly #newest = new Map<string, string>();

  /** Notes that a thread began a wait. Only its newest wait is compared. */
  begin(reported: Reported): void {
    this.#newest.set(String(reported.holder), keyOf(reported));
  }

  /**
   * Notes what a thread does. If that shows that the thread no longer sleeps at a lock, the end of its wait must have
   * been reported before. Returns, in words, each end that was not.
   */
  note(reported: Reported, waits: Iterable<Wait>): string[] {
    this.#noteAttempt(reported);
    const all = [...waits];
    const moved = all.filter((wait) => !wait.isOver && isSomethingElse(wait, reported));
    const ended = moved.filter((wait) => this.#showsEnd(wait, all));
    for (const wait of moved) wait.hasMoved = true;
    return ended.map(({ holder, lock }) => `${holder} no longer waits for ${lock}, which was not reported`);
  }

  /** Whether the thread of a wait does something in this step that ends the wait. */
  end(wait: Wait, rest: readonly Expected[], waits: Iterable<Wait>): boolean {
    const hasActed = isBusy(wait, rest) && this.#showsEnd(wait, [...waits]);
    if (hasActed) this.#of(wait.holder).left = { ...wait };
    return hasActed;
  }

  #showsEnd(wait: Wait, waits: readonly Wait[]): boolean {
    const { quiet, isAsynchronous } = this.#of(wait.holder);
    if (!isSleeper(wait) || isAsynchronous || quiet < QUIET_SLEEPS) return false;
    if (this.#newest.get(wait.holder) !== keyOf(wait)) return false;
    return !this.isAlone(wait, waits);
  }

  /** Whether no other thread of its client is asleep at the same lock. */
  isAlone(wait: Wait, waits: Iterable<Wait>): boolean {
    const isOther = (other: Wait) => other !== wait && clientOf(other.holder) === clientOf(wait.holder);
    return ![...waits].some((other) => isOther(other) && isSleeper(other) && isBeside(other, wait));
  }

  /** Notes that a message or a timer ended a sleep, at this event. */
  wake(wait: Wait, { wokenBy, at }: Reported): void {
    const habit = this.#of(wait.holder);
    if (!wait.hasMoved) habit.quiet++;
    else if (wokenBy === 'own-timer' && isPunctual(wait, at)) habit.isAsynchronous = true;
  }

  /**
   * Notes an attempt of a thread that was reported as no longer waiting. If it comes just when the timer of that wait
   * ends, the thread had waited on: its client is asynchronous.
   */
  #noteAttempt(reported: Reported): void {
    if (!isAttempt(reported)) return;
    const habit = this.#of(String(reported.holder));
    const { left } = habit;
    if (left?.holder !== reported.holder || !left || !isBeside(left, reported)) return;
    delete habit.left;
    if (isPunctual(left, reported.at)) habit.isAsynchronous = true;
  }

  #of(holder: string): Habit {
    const client = clientOf(holder);
    const habit = this.#habits.get(client) ?? { quiet: 0, isAsynchronous: false };
    this.#habits.set(client, habit);
    return habit;
  }
}

/**
 * Whether a waiter sleeps on a shared channel. A waiter of a fair lock has its own, on which no other thread listens.
 */
function isSleeper({ asleep, isGone, isOver, channel, holder }: Wait): boolean {
  return asleep && !isGone && !isOver && !channel.endsWith(`:${holder}`);
}

function isBeside(wait: Wait, { db, lock }: { readonly db: number; readonly lock: string }): boolean {
  return wait.lock === lock && wait.db === db;
}

function isPunctual({ reported, lastAt }: Wait, at: number): boolean {
  return reported !== null && reported >= 0 && Math.abs(at - lastAt - reported * 1000) <= PUNCTUAL;
}
