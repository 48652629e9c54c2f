import { forgetOldest } from '../../../base/forget-oldest.ts';
import { type Millis, plusMillis, type RedisTime, redisTime } from '../../../base/time.ts';
import { isData } from '../../libraries/bare-word.ts';
import { isLockName, isOtherName, isShortToken } from '../../libraries/token-found.ts';
import { isTokenLike } from '../../libraries/token-libraries.ts';
import { isNextValue } from '../../libraries/value-form.ts';
import type { LockEvidence } from '../../types/lock-evidence.ts';
import type { EndMoved, Unreported } from './token-mirror.ts';

/** At most this number of attempts is kept since the key was last free. */
const MOST_ATTEMPTS = 20;
/**
 * This number of attempts after a refusal shows that a client waits. A single one may be a message that was delivered
 * twice.
 */
const RETRIES = 2;
/**
 * The weight of a further attempt on the same connection with another token: it may come from another thread, or be a
 * message that arrives again.
 */
const OTHER_TOKEN = 0.5;
/** The number of hand-overs that shows a waiter. One may be chance, for example if two processes fill a cache. */
const ENOUGH_HANDOVERS = 2;
/** A client that waits asks again within this time. */
const ASKS_WITHIN: Millis = 5000;
/**
 * If deletions show no client, the key must be deleted this soon and this often. A session or a one-time link lives
 * longer, or is deleted less often.
 */
const BRIEF: Millis = 10_000;
const BRIEF_HOLDS = 2;
/** The number of connections that are remembered because they set the key, or because they deleted it. */
const MOST_CONNECTIONS = 20;

/**
 * How a hold ended: its client deleted the key, any client deleted it, or its lease had ended when a client attempted
 * again.
 */
type OwnEnd = 'released' | 'deleted' | 'expired';

/** Whether two connections may belong to one client. */
export type IsSameClient = (one: string, other: string) => boolean;

/**
 * A key that applications set with `SET key value NX PX ms`, by a command or in a script, and what was seen of it. A
 * cache uses the same command, so one sign alone never shows a lock.
 */
export class OwnLock {
  readonly db: number;
  readonly name: string;
  /** Attempts since the key was last free: the first one set it, unless it was set before that. */
  attempts: Unreported[] = [];
  /** Refused attempts up to this time were forgotten. */
  forgottenUntil: RedisTime | undefined;
  /** The hold before the attempts: from which attempt until which end, and how it ended. */
  lastHold: { readonly attempt: Unreported; readonly endedAt: RedisTime; readonly end: OwnEnd } | undefined;
  /**
   * The script that set the key, if a script did. If a call of it with another token leaves the key unchanged, it was
   * refused.
   */
  script: string | undefined;
  #seenAt = redisTime(0);
  /** Refused attempts with a token that was refused up to 5 s before. */
  #retries = 0;
  /**
   * Refused attempts besides `#retries` that may belong to waiters. If no setter ever deletes the key, it may instead
   * limit how often a message or a request is handled.
   */
  #others = 0;
  /** Those of `#others` that followed soon after a refusal on the same connection. */
  #polls = 0;
  #releases = 0;
  /** How often a connection that was refused set the key after its release. */
  #handovers = 0;
  /** Connections that were refused while the key had its last value. */
  #refused: ReadonlySet<string> = new Set();
  /** How often the client that set the key set a later end. */
  #renewals = 0;
  /** Whether other clients prolong the key, as they prolong a visit or a session. */
  #isProlongedByOthers = false;
  /** Whether a script compared the token of an attempt that was seen, and prolonged the key. */
  #isCompared = false;
  /** 1 after the first value, and one more each time that another value was set after the key was free. */
  #uses = 0;
  /** Deletions soon after the key was set that do not show which client sent them. */
  #brief = 0;
  #lastToken: string | undefined;
  /**
   * How often an attempt by the first client with the first token followed the previous one within 5 s. These attempts
   * were refused if the key was set unseen before.
   */
  #repeated = 0;
  #repeatedAt = redisTime(0);
  /** When the lease of the first attempt ends, if it was seen to be renewed; null: never. */
  #end: RedisTime | null | undefined;
  /**
   * A key event showed another end, or that its value was set again or ended: from there on, nothing is known about its
   * hold.
   */
  #isLost = false;
  /** The key was there all the time since its value was read: its next value was written over it. */
  #isChanged = false;
  readonly #setters = new Set<string>();
  readonly #deleters = new Set<string>();

  constructor(db: number, name: string) {
    this.db = db;
    this.name = name;
  }

  /** When an attempt on the key was last seen. A value that a read found may count as one. */
  get seenAt(): RedisTime {
    return this.#seenAt;
  }

  /**
   * Whether the values of the key are data that an application reads. Such a key is offered only if clients are refused
   * again and again, and shown as a lock only if the user says so.
   */
  get isData(): boolean {
    return isData(this.#lastToken ?? '');
  }

  get evidence(): LockEvidence[] {
    const signs: readonly (readonly [LockEvidence, boolean])[] = [
      ['name', isLockName(this.name)],
      ['token', this.#hasToken],
      ['retried', this.#retries + this.#othersThatCount * OTHER_TOKEN >= RETRIES],
      ['renewed', (this.#renewals > 0 || this.#isCompared) && !this.#isProlongedByOthers],
      ['released', this.#releases > 0],
      ['reused', this.#uses > 1 || this.#isBriefWord],
    ];
    return signs.flatMap(([sign, isThere]) => (isThere ? [sign] : []));
  }

  /**
   * Whether a key that is named like a lock was deleted soon after it was set, more than once. Then even one word for
   * all clients shows a lock. A number may be a counter.
   */
  get #isBriefWord(): boolean {
    return this.#brief >= BRIEF_HOLDS && isLockName(this.name) && !/^[\d.-]*$/.test(this.#lastToken ?? '');
  }

  get #othersThatCount(): number {
    if (this.#releases > 0) return this.#others;
    return isLockName(this.name) ? this.#polls : 0;
  }

  get #hasToken(): boolean {
    const token = this.#lastToken;
    return token !== undefined && (isTokenLike(token) || (isLockName(this.name) && isShortToken(token)));
  }

  /**
   * Whether two signs together show a lock: each alone is common in caches, counters and sessions. A refused client
   * that sets the key after its release, more than once, counts as the second sign.
   */
  get isProbable(): boolean {
    if (this.isData || isOtherName(this.name)) return false;
    const signs = new Set(this.evidence);
    if (signs.has('name'))
      return signs.has('token') || signs.has('retried') || signs.has('released') || this.#isBriefWord;
    const isReused = signs.has('reused') && (signs.has('released') || this.#brief >= BRIEF_HOLDS);
    if (signs.has('retried') && (signs.has('renewed') || this.#handovers >= ENOUGH_HANDOVERS)) return true;
    return signs.has('token') && (signs.has('retried') || isReused || this.#isCompared);
  }

  /** Whether attempts were refused again and again. */
  get isContended(): boolean {
    return this.#retries + this.#others * OTHER_TOKEN >= RETRIES;
  }

  try(attempt: Unreported): void {
    this.#seenAt = attempt.at;
    const [first, ...refused] = this.attempts;
    if (!first) this.#begin(attempt);
    else if (this.#isOver(first, attempt.at)) {
      const endedAt = this.#endOf(first) ?? attempt.at;
      this.lastHold = this.#isLost ? undefined : { attempt: first, endedAt, end: 'expired' };
      this.#begin(attempt);
    }
    // either this client had set the key, or its first attempt was refused too, because a value had been set unseen
    else if (first.token === attempt.token && first.by === attempt.by) {
      this.#others += 1 / OTHER_TOKEN;
      if (plusMillis(this.#repeatedAt, ASKS_WITHIN) >= attempt.at) this.#repeated++;
      this.#repeatedAt = attempt.at;
    } else {
      const last = refused.findLast(({ token }) => token === attempt.token);
      const before = refused.findLast(({ by }) => by !== undefined && by === attempt.by);
      if (last && plusMillis(last.at, ASKS_WITHIN) >= attempt.at) this.#retries++;
      else if (before) {
        this.#others++;
        if (plusMillis(before.at, ASKS_WITHIN) >= attempt.at) this.#polls++;
      }
      this.attempts.push(attempt);
      if (this.attempts.length > MOST_ATTEMPTS) this.forgottenUntil = this.attempts.splice(1, 1)[0]?.at;
    }
  }

  /**
   * A read found this value. If clients tried to set the key with other tokens only, the value was set unseen before
   * these attempts, for example before Redis was watched: all of them were refused. The lease of a value that is known
   * may have been renewed.
   */
  find(value: Unreported): void {
    const [first, ...refused] = this.attempts;
    if (first?.token === value.token) this.#findAgain(first, value);
    else if (this.#isLost) this.#beginAfterLoss(value);
    else if (first?.by === undefined || refused.some(({ token }) => token === value.token)) this.try(value);
    else {
      this.#retries += this.#repeated;
      this.#begin({ ...value, isFound: true });
      this.attempts.push(first, ...refused);
    }
  }

  #findAgain(first: Unreported, { at, lease }: Unreported): void {
    this.#end = lease && plusMillis(at, lease.ms);
    if (this.#isLost && this.#end !== null) first.moved = { at, by: undefined, expiresAt: this.#end };
    this.#isLost = false;
  }

  /** A script compared this token with the value, and prolonged the key: only a lock is set and prolonged like this. */
  compare(token: string): void {
    this.#isCompared ||= this.attempts.some((each) => each.token === token && each.by !== undefined && !each.isFound);
  }

  /** Whether the key still has the value of the first attempt, as far as was seen. */
  isHeldAt(now: RedisTime): boolean {
    const [first] = this.attempts;
    return first !== undefined && !this.#isOver(first, now);
  }

  /** Without commands: the key's value has ended since it was read. */
  lose(): void {
    this.#isLost = this.attempts.length > 0;
    this.#isChanged = false;
  }

  /** Without commands: since the last read, another value was set, or another end. */
  change(at: RedisTime): void {
    const isThere = this.isHeldAt(at) && (this.#isChanged || !this.#isLost);
    this.lose();
    this.#isChanged = isThere;
  }

  /** The holder wrote its next value, for example with the time, or another client had set the key in the meantime. */
  #beginAfterLoss(value: Unreported): void {
    const [first] = this.attempts;
    if (!this.#isChanged || !first) return this.#begin(value, true);
    if (!isNextValue(first.token, value.token)) return this.#begin(value);
    const next = { ...first, token: value.token };
    this.attempts[0] = next;
    this.#lastToken = value.token;
    this.#findAgain(next, value);
  }

  /** Whether no key event has changed the value or its end since the newest read. */
  get isHoldKnown(): boolean {
    return this.attempts.length > 0 && !this.#isLost;
  }

  /** A command set another end of the lease, whatever value the key has. */
  prolong(moved: EndMoved): void {
    const [first] = this.attempts;
    if (!first || this.#isOver(first, moved.at)) return;
    const end = this.#endOf(first);
    if (first.by !== moved.by) this.#isProlongedByOthers = true;
    else if (first.by !== undefined && end !== null && moved.expiresAt > end) this.#renewals++;
    this.#end = moved.expiresAt;
    first.moved = moved;
  }

  /** The key was deleted. `by`: undefined at levels that do not show the client. */
  delete(at: RedisTime, by: string | undefined, isSame: IsSameClient): void {
    const [first] = this.attempts;
    const isReleased = first?.by !== undefined && by !== undefined && this.#isRelease(first.by, by, isSame);
    const end = isReleased ? 'released' : 'deleted';
    this.lastHold = first && !this.#isLost ? { attempt: first, endedAt: at, end } : undefined;
    if (by === undefined) this.#brief += Number(first !== undefined && at <= plusMillis(first.at, BRIEF));
    else note(this.#deleters, by);
    if (isReleased) this.#releases++;
    const refused = this.attempts.slice(1).flatMap((attempt) => attempt.by ?? []);
    this.#refused = new Set(isReleased ? refused : []);
    this.attempts = [];
    this.#isLost = false;
  }

  /**
   * Whether a deletion by another connection is a release: connections of one pool both set and delete the key. For a
   * job that is to be queued only once, one process sets the key, and another one deletes it.
   */
  #isRelease(setter: string, by: string, isSame: IsSameClient): boolean {
    return setter === by || (isSame(setter, by) && (this.#setters.has(by) || this.#deleters.has(setter)));
  }

  #begin(attempt: Unreported, isAfterLoss = false): void {
    if (
      (this.attempts.length === 0 || isAfterLoss) &&
      this.#lastToken !== undefined &&
      this.#lastToken !== attempt.token
    )
      this.#uses++;
    else this.#uses = Math.max(1, this.#uses);
    if (this.attempts.length === 0 && this.#refused.has(attempt.by ?? '')) this.#handovers++;
    this.#refused = new Set();
    this.#lastToken = attempt.token;
    this.#repeated = 0;
    this.#repeatedAt = attempt.at;
    this.#end = undefined;
    this.#isLost = false;
    this.attempts = [attempt];
    if (attempt.by !== undefined) note(this.#setters, attempt.by);
  }

  #isOver(first: Unreported, now: RedisTime): boolean {
    const end = this.#endOf(first);
    return end !== null && end <= now;
  }

  #endOf({ at, lease }: Unreported): RedisTime | null {
    return this.#end === undefined ? lease && plusMillis(at, lease.ms) : this.#end;
  }
}

function note(connections: Set<string>, by: string): void {
  connections.add(by);
  forgetOldest(connections, MOST_CONNECTIONS);
}
