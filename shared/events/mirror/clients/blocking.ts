import { type Millis, plusMillis, type RedisTime } from '../../../base/time.ts';
import { clientOf } from '../../names/names.ts';
import type { Wait } from './wait.ts';

/** How many sleeps of a client's threads must have been quiet until it is known that sleeping blocks its threads. */
const QUIET_SLEEPS = 3;
/** A timer fires at most this late. */
const PUNCTUAL: Millis = 100;
const MOST_CLIENTS = 10_000;

/** What the sleeps of one client's threads have shown. */
type Habit = {
  /** How many sleeps were quiet: until the thread woke up, it did nothing else. */
  quiet: number;
  /** A thread did something else during its sleep and stayed asleep, so the client uses the asynchronous API. */
  isAsynchronous: boolean;
  /** The last sleep that ended because its thread did something else. */
  left?: Wait;
};

/**
 * Which clients block a thread while it sleeps. In Redisson's asynchronous API one thread id may have several attempts
 * at a time, and no command shows which API a client uses. Only what its threads do shows it:
 *
 *   B asleep ……………………………… B attempts               quiet: nothing else in between
 *   B asleep …… B acquires another … B attempts, timer due      asynchronous: it stayed asleep
 */
export class Blocking {
  readonly #habits = new Map<string, Habit>();

  /**
   * Whether sleeping blocks the threads of this client, as far as was seen: a thread that does something else no longer
   * sleeps.
   */
  isKnown(client: string): boolean {
    const habit = this.#habits.get(client);
    return habit !== undefined && !habit.isAsynchronous && habit.quiet >= QUIET_SLEEPS;
  }

  /** Whether a thread of this client was seen to do something else while it was asleep. */
  isAsynchronous(client: string): boolean {
    return this.#habits.get(client)?.isAsynchronous === true;
  }

  /** Notes that a message or a timer ended a sleep. */
  woke(wait: Wait, wokenBy: 'message' | 'own-timer', at: RedisTime): void {
    const habit = this.#habitOf(clientOf(wait.holder));
    if (!wait.hasActed) habit.quiet++;
    else if (wokenBy === 'own-timer' && isPunctual(wait, at)) habit.isAsynchronous = true;
  }

  /** Notes that a sleep is reported as ended, because its thread did something else. */
  leave(wait: Wait): void {
    this.#habitOf(clientOf(wait.holder)).left = wait;
  }

  /**
   * Notes an attempt. If it comes when the timer of a sleeper that was reported as gone ends, the sleeper was still
   * there.
   */
  attempts(db: number, lock: string, holder: string, at: RedisTime): void {
    const habit = this.#habits.get(clientOf(holder));
    const left = habit?.left;
    if (!habit || left?.holder !== holder || left.lock !== lock || left.db !== db) return;
    delete habit.left;
    if (isPunctual(left, at)) habit.isAsynchronous = true;
  }

  #habitOf(client: string): Habit {
    const known = this.#habits.get(client);
    if (known) return known;
    const [oldest] = this.#habits.keys();
    if (this.#habits.size >= MOST_CLIENTS && oldest !== undefined) this.#habits.delete(oldest);
    const habit: Habit = { quiet: 0, isAsynchronous: false };
    this.#habits.set(client, habit);
    return habit;
  }
}

/** Whether an attempt is at the end of the sleeper's timer. */
function isPunctual({ reportedMs, lastAttemptAt }: Wait, at: RedisTime): boolean {
  if (reportedMs === null || reportedMs < 0) return false;
  const due = plusMillis(lastAttemptAt, reportedMs);
  return at >= plusMillis(due, -PUNCTUAL) && at <= plusMillis(due, PUNCTUAL);
}
