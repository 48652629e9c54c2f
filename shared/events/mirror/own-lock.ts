import { plusMillis, type RedisTime, redisTime } from '../../base/time.ts';
import { isLockName, isShortToken } from '../recognise/token-found.ts';
import { isTokenLike } from '../recognise/token-libraries.ts';
import type { LockEvidence } from '../types/lock-evidence.ts';
import type { Untold } from './token-mirror.ts';

/** Attempts that are kept since the key was last free. */
const MOST_ATTEMPTS = 20;
/** This number of attempts after a refusal shows that a client waits. One more may be a message that was delivered twice. */
const RETRIES = 2;
/** Attempts with other tokens over one connection may be of several threads. */
const OTHER_TOKEN = 0.5;

/** Whether two connections may belong to one client. */
export type IsSameClient = (one: string, other: string) => boolean;

/**
 * A key that applications set with `SET key value NX PX ms`, and what was seen of it. A cache uses the same command, so one
 * sign alone never shows a lock.
 */
export class OwnLock {
  readonly db: number;
  readonly name: string;
  /** Attempts since the key was last free: the first one set it, unless it was set before that. */
  attempts: Untold[] = [];
  /** The hold before the attempts: from which attempt until which deletion. */
  lastHold: { readonly attempt: Untold; readonly endedAt: RedisTime } | undefined;
  #seenAt = redisTime(0);
  #retries = 0;
  #releases = 0;
  #uses = 0;
  /** Its deletions do not show which client sent them. */
  #hidesClients = false;
  #lastToken: string | undefined;

  constructor(db: number, name: string) {
    this.db = db;
    this.name = name;
  }

  /** When an attempt on it was last seen. */
  get seenAt(): RedisTime {
    return this.#seenAt;
  }

  /** Whether its values are data that an application reads: these are offered, and never shown by themselves. */
  get isData(): boolean {
    return !/^[\w+/=:@.-]{1,120}$/.test(this.#lastToken ?? '');
  }

  get evidence(): LockEvidence[] {
    const signs: readonly (readonly [LockEvidence, boolean])[] = [
      ['name', isLockName(this.name)],
      ['token', this.#hasToken],
      ['retried', this.#retries >= RETRIES],
      ['released', this.#releases > 0],
      ['reused', this.#uses > 1],
    ];
    return signs.flatMap(([sign, isThere]) => (isThere ? [sign] : []));
  }

  get #hasToken(): boolean {
    const token = this.#lastToken;
    return token !== undefined && (isTokenLike(token) || (isLockName(this.name) && isShortToken(token)));
  }

  /** Two signs that belong together, of which one alone is common in caches, counters and sessions. */
  get isProbable(): boolean {
    if (this.isData) return false;
    const has = new Set(this.evidence);
    if (has.has('name')) return has.has('token') || has.has('retried') || has.has('released');
    const isReused = has.has('reused') && (has.has('released') || this.#hidesClients);
    return has.has('token') && (has.has('retried') || isReused);
  }

  /** Another client was refused again and again while the key had its value. */
  get isContended(): boolean {
    return this.#retries >= RETRIES;
  }

  try(attempt: Untold): void {
    this.#seenAt = attempt.at;
    const [first, ...refused] = this.attempts;
    if (!first || this.#isOver(first, attempt.at)) this.#begin(attempt);
    else if (first.token === attempt.token && first.by === attempt.by) {
      this.#retries++; // it was refused before, too, by a value that was set unseen
    } else {
      if (refused.some(({ token }) => token === attempt.token)) this.#retries++;
      else if (refused.some(({ by }) => by !== undefined && by === attempt.by)) this.#retries += OTHER_TOKEN;
      this.attempts.push(attempt);
      if (this.attempts.length > MOST_ATTEMPTS) this.attempts.splice(1, 1);
    }
  }

  /** The key was deleted. `by`: undefined at levels that do not show the client. */
  delete(at: RedisTime, by: string | undefined, isSame: IsSameClient): void {
    const [first] = this.attempts;
    this.lastHold = first && { attempt: first, endedAt: at };
    if (by === undefined) this.#hidesClients = true;
    if (first && by !== undefined && first.by !== undefined && isSame(first.by, by)) this.#releases++;
    this.attempts = [];
  }

  #begin(attempt: Untold): void {
    if (this.attempts.length === 0 && this.#lastToken !== undefined && this.#lastToken !== attempt.token) this.#uses++;
    else this.#uses = Math.max(1, this.#uses);
    this.#lastToken = attempt.token;
    this.attempts = [attempt];
  }

  #isOver({ at, lease }: Untold, now: RedisTime): boolean {
    return lease !== null && plusMillis(at, lease.ms) <= now;
  }
}
