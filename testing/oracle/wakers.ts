import type { Reported } from './judge.ts';
import { clientOf } from './tracker.ts';

/** A client's timer may fire this much before its time (microseconds). */
export const EARLY_TIMER = 5000;
/** A timer fires within `PUNCTUAL` after its end. A client attempts within `LATEST_ANSWER` after a message. */
export const PUNCTUAL = 100_000;
const LATEST_ANSWER = 1_000_000;

/** One wait: from the first refusal of a holder to its acquisition, or until it gives up. */
export type Wait = {
  readonly lock: string;
  readonly db: number;
  readonly holder: string;
  readonly channel: string;
  readonly firstAt: number;
  attempt: number;
  lastAt: number;
  /** The longest time between two attempts of the wait. */
  longestPause: number;
  lastSeq: number;
  reported: number | null;
  asleep: boolean;
  isGone: boolean;
  isOver: boolean;
  /** Whether the thread has done something else since its newest attempt. */
  hasMoved: boolean;
  /** Whether the client began to listen for this thread. */
  isListener: boolean;
  /** Whether the wait may have begun before its first attempt that was seen. */
  isOlder: boolean;
  /** The `seq` of the event that ended the wait. */
  endSeq: number;
  pollsWithin: number | undefined;
  /** The number of attempts of a waiter that never sleeps, and when the first one was. */
  polls: number;
  polledSince: number;
  /** The kind of lock that was reported with the last attempt. */
  kind: string;
};

/** The key of a wait: its lock and its holder identify it. */
export function keyOf({ db, lock, holder }: { db: number; lock: string; holder?: unknown }): string {
  return `${db}:${lock}:${holder}`;
}

type Noted = { readonly seq: number; readonly at: number };

/** What can wake a waiter: messages on its channel, its own timer, and losses that it finds when its timer ends. */
export class Wakers {
  /** The newest message on each channel, and about each lock. */
  readonly #messages = new Map<string, Noted>();
  /** The newest loss, quiet release and eviction of each lock. */
  readonly #losses = new Map<string, number>();
  /** Clients that listen on each channel; '' for an unknown client. */
  readonly #listening = new Map<string, Set<string>>();
  /** Messages that no sleeper of a client has used, by channel and client. */
  readonly #unused = new Map<string, number>();

  /**
   * Notes a message. Each listening client keeps the message until one of its threads uses it (`useMessage`). The
   * message `1` can be used by each of its threads that waits.
   */
  publish(channel: string, reported: Reported, waits: readonly Wait[]): void {
    const noted = { seq: reported.seq, at: reported.at };
    this.#messages.set(channel, noted);
    this.#messages.set(`${reported.db}:${reported.lock}`, noted);
    for (const client of this.#listening.get(channel) ?? []) {
      const own = waits.filter(({ holder }) => clientOf(holder) === client);
      this.#add(channel, client, reported.message === '1' ? own.length : 1);
    }
  }

  useMessage(channel: string, client: string): void {
    if ((this.#unused.get(`${channel} ${client}`) ?? 0) > 0) this.#add(channel, client, -1);
  }

  #add(channel: string, client: string, count: number): void {
    const key = `${channel} ${client}`;
    this.#unused.set(key, (this.#unused.get(key) ?? 0) + count);
  }

  lose(how: 'loss' | 'quiet' | 'eviction', { db, lock, seq }: Reported): void {
    this.#losses.set(`${how} ${db}:${lock}`, seq);
  }

  listen(channel: string, client: string, isBeginning: boolean): void {
    const clients = this.#listening.get(channel) ?? new Set();
    this.#listening.set(channel, clients);
    if (isBeginning) clients.add(client);
    else clients.delete(client);
    this.#unused.delete(`${channel} ${client}`);
  }

  /** Whether a client listens on a channel; `undefined` if it is not known. */
  isListening(channel: string, client: string): boolean | undefined {
    const clients = this.#listening.get(channel);
    if (!clients || clients.size === 0) return false;
    if (clients.has(client)) return true;
    return clients.has('') ? undefined : false;
  }

  messageOn(channel: string): Noted | undefined {
    return this.#messages.get(channel);
  }

  lastLoss({ db, lock }: Wait): number {
    return this.#losses.get(`loss ${db}:${lock}`) ?? 0;
  }

  /** Events that the next attempt of a wait may name as its causes. */
  causes({ db, lock, channel }: Wait): (number | undefined)[] {
    const messages = [channel, `${db}:${lock}`].map((about) => this.#messages.get(about)?.seq);
    return [...messages, ...['loss', 'quiet', 'eviction'].map((how) => this.#losses.get(`${how} ${db}:${lock}`))];
  }

  /** What may have ended the sleep before an attempt: a message, its own timer, or nothing. */
  of(before: Wait | undefined, at: number): (string | undefined)[] {
    if (!before || isLeftTry(before) || before.pollsWithin !== undefined) return [undefined];
    const unused = this.#unused.get(`${before.channel} ${clientOf(before.holder)}`) ?? 0;
    const message = this.messageOn(before.channel);
    const isMessage = (message?.seq ?? 0) > before.lastSeq;
    const dueAt =
      before.reported !== null && before.reported >= 0
        ? before.lastAt + before.reported * 1000
        : Number.POSITIVE_INFINITY;
    // A client attempts soon after a message. One that attempts when its timer ends, long after the message, missed it.
    const isMissed = at >= dueAt - EARLY_TIMER && at < dueAt + PUNCTUAL && at > (message?.at ?? 0) + LATEST_ANSWER;
    if (isMissed && before.asleep) return ['own-timer'];
    const isDue = at >= dueAt - EARLY_TIMER;
    const isLoss = this.lastLoss(before) > before.lastSeq;
    const found = [...(isMessage ? ['message'] : []), ...(isDue || isLoss ? ['own-timer'] : [])];
    if (before.asleep && found.length > 0) return found;
    return unused > 0 ? [undefined, ...found, 'message'] : [undefined, ...found];
  }
}

/** Whether the thread was refused once and then did something else, so that it never waited. */
function isLeftTry({ hasMoved, attempt, asleep, isListener }: Wait): boolean {
  return hasMoved && attempt === 1 && !asleep && !isListener;
}

/** Times that distinguish a second attempt from another call (microseconds), by `shared/state/RULES.md`. */
const SECOND_ATTEMPT = { surely: 100_000, never: 2_000_000 };

/** The numbers that an attempt may have: the next one of its wait, or 1. */
export function attemptsOf(
  before: Wait | undefined,
  at: number,
  isListening: (client: string) => boolean | undefined,
): number[] {
  if (!before || isLeftTry(before)) return [1];
  const next = before.attempt + 1;
  if (before.asleep || before.isGone) return [next];
  const pause = at - before.lastAt;
  const listens = isListening(clientOf(before.holder));
  if (listens === false) return [1];
  if (pause <= SECOND_ATTEMPT.surely && listens) return [next];
  // after its own SUBSCRIBE, a thread on a slow machine may take any time until its next attempt
  const isNewCall = pause > SECOND_ATTEMPT.never && before.attempt === 1 && !before.isListener;
  return isNewCall ? [1] : [next, 1];
}

/** Whether a waiter that never sleeps has been silent for too long to be still there. */
export function isPollOver({ pollsWithin, lastAt }: Wait, at: number): boolean {
  return pollsWithin !== undefined && at - lastAt > pollsWithin * 1000;
}

/** The number of attempts of a waiter that never sleeps, including this one. */
export function pollsOf(before: Wait | undefined, at: number): number {
  if (!before || isLeftTry(before)) return 1;
  return before.pollsWithin === undefined || isPollOver(before, at) ? 1 : before.polls + 1;
}

/** A longer pause after the first attempt of a poll may also lie between two calls (microseconds). */
const FIRST_PAUSE = 400_000;

/**
 * The attempt numbers that a poll may have. Before a spin lock is recognised, each poll looks like a separate
 * `tryLock()`. Once it is recognised, the numbers continue from the last one, or from the number of all polls. After
 * one attempt and a long pause, nothing shows whether a slow thread polls or calls `tryLock()` again.
 */
export function pollNumbers(before: Wait | undefined, { at, kind }: Reported): number[] {
  const polls = pollsOf(before, at);
  if (kind === 'lock') return [polls, 1];
  const next = before?.kind === 'lock' && polls > 1 ? [polls, before.attempt + 1] : [polls];
  return before?.attempt === 1 && at - before.lastAt > FIRST_PAUSE ? [...next, 1] : next;
}
