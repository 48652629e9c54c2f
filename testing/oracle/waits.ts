import type { Expected } from './expected.ts';
import { Habits } from './habits.ts';
import type { Reported } from './judge.ts';
import { isLeaving, leaveProblems, SILENCE } from './leaving.ts';
import { clientOf } from './tracker.ts';
import { attemptsOf, isPollOver, keyOf, pollNumbers, pollsOf, type Wait, Wakers } from './wakers.ts';

/** Silence may be reported this late, because Lockscope notices it only when it reads the next line. */
const LATE_REPORT = 1_000_000;
/** A client that needs longer than this, in ms, is late. */
const LATE = 1000;
/** A reported lateness may be this much wrong (microseconds): Redis counts the end of a lease in whole milliseconds. */
const CLOCK_OF_TIMER = 2000;

/** A poll may have begun before the first line of the trace if its first attempt followed within this many pauses. */
const PAUSES_BEFORE = 1.5;

/** The flags of a wait right after an attempt. */
const NEW_WAIT = { isGone: false, isOver: false, hasMoved: false, isListener: false, isOlder: false, endSeq: 0 };
/** A new caller attempts a second time within this time. */
const NEW_CALLER = 1_000_000;

/** Follows each wait from its first refusal to its end, and compares the events about it. */
export class Waits {
  readonly #killed: ReadonlyMap<string, number>;
  readonly #waits = new Map<string, Wait>();
  readonly #wakers = new Wakers();
  readonly #habits = new Habits();
  /** When the first event happened. */
  #beganAt: number | undefined;
  /** The `seq` of the subscription of each client, by channel. */
  readonly #listeningSince = new Map<string, number>();
  /** When each client began to listen, by channel. */
  readonly #joinedAt = new Map<string, number>();

  constructor(killed: ReadonlyMap<string, number>) {
    this.#killed = killed;
  }

  /** Compares the fields about waiting of one event, and stores what the event means for waiters. */
  follow(right: Expected, reported: Reported): string[] {
    this.#beganAt ??= reported.at;
    const late = this.#lateProblems(right.wait?.channel ?? '', reported);
    return [...late, ...this.#habits.note(reported, this.#waits.values()), ...this.#follow(right, reported)];
  }

  /**
   * Compares how late a reaction is reported to be. It is counted from a message, the end of a timer, a SUBSCRIBE, or
   * the refusal before it.
   */
  #lateProblems(channel: string, reported: Reported): string[] {
    if (reported.lateMs === undefined) return [];
    const lateMs = Number(reported.lateMs);
    const before = this.#find(reported);
    const joinedAt = this.#joinedAt.get(`${channel} ${clientOf(String(reported.holder))}`);
    const timer = before && before.reported !== null ? before.lastAt + before.reported * 1000 : undefined;
    const starts = [before?.lastAt, timer, joinedAt, this.#wakers.messageOn(channel)?.at];
    const isRight = starts.some((from) => Math.abs(reported.at - (from ?? 0) - lateMs * 1000) < CLOCK_OF_TIMER);
    return isRight && lateMs > LATE ? [] : [`lateMs ${lateMs} is not the time since anything`];
  }

  #follow(right: Expected, reported: Reported): string[] {
    const { wait } = right;
    if (!wait) return [];
    switch (wait.role) {
      case 'refused':
        return this.#refused(right, reported);
      case 'acquired':
        return this.#acquired(reported);
      case 'message':
        this.#publish(wait.channel ?? '', reported);
        return [];
      case 'loss':
      case 'quiet':
      case 'eviction':
        this.#wakers.lose(wait.role, reported);
        return [];
      case 'listen':
        return this.#listen(wait.channel ?? '', reported);
      case 'leave':
        return this.#leave(wait.channel, reported);
    }
  }

  /**
   * Compares a refused attempt to acquire permits. The waiters of a semaphore are known by their connections: they wait
   * while their connections listen.
   */
  #refusedPermits(right: Expected, reported: Reported): string[] {
    const before = this.#find(reported);
    const { db, lock, at, seq } = reported;
    const channel = right.wait?.channel ?? '';
    const [holder, asleep, firstAt] = [String(reported.holder), reported.asleep === true, before?.firstAt ?? at];
    const about = { db, lock, holder, channel, kind: reported.kind };
    const times = { firstAt, attempt: 1, lastAt: at, longestPause: 0, lastSeq: seq, reported: null, asleep };
    const polling = { pollsWithin: undefined, polls: 0, polledSince: at };
    this.#waits.set(keyOf(reported), { ...about, ...times, ...polling, ...NEW_WAIT, isGone: true });
    return [];
  }

  #refused(right: Expected, reported: Reported): string[] {
    if (reported.type === 'permits.refused') return this.#refusedPermits(right, reported);
    const before = this.#find(reported);
    const { channel = '', isTry = false, pollsWithin } = right.wait ?? {};
    const attempt = Number(reported.attempt);
    const problems: string[] = [];
    const attempts = pollsWithin
      ? pollNumbers(before, reported)
      : attemptsOf(before, reported.at, (client) => this.#wakers.isListening(channel, client));
    if (!attempts.includes(attempt)) problems.push(`attempt ${attempt}, not ${attempts.join(' or ')}`);
    const sleeps = this.#sleeps(right, attempt, channel, clientOf(String(reported.holder)));
    if (!sleeps.includes(reported.asleep as boolean))
      problems.push(`asleep ${reported.asleep}, not ${sleeps.join(' or ')}`);
    problems.push(...this.#wokenProblems(before, reported));
    const polls = pollsWithin ? pollsOf(before, reported.at) : 0;
    const polledSince = polls > 1 && before ? before.polledSince : reported.at;
    const isNext = before !== undefined && attempt > 1;
    const firstAt = attempt === polls ? polledSince : isNext ? before.firstAt : reported.at;
    // Once a spin lock is recognised, the number that was reported is used.
    const counted = reported.kind === 'lock' ? { polls, polledSince } : { polls: attempt, polledSince: firstAt };
    const { db, lock, at, seq, kind } = reported;
    const about = { db, lock, holder: String(reported.holder), channel, kind };
    const longestPause = isNext ? Math.max(before.longestPause, at - before.lastAt) : 0;
    const mayBeOlder = firstAt - (this.#beganAt ?? 0) <= PAUSES_BEFORE * longestPause;
    if (reported.isOlder && !mayBeOlder)
      problems.push('isOlder, but attempts before the first one would have been seen');
    const times = { firstAt, attempt, lastAt: at, longestPause, lastSeq: seq, reported: right.wait?.reported ?? null };
    const isListener = isNext && before.isListener;
    const asleep = reported.asleep === true;
    const isNewCaller = attempt === 2 && at - firstAt < NEW_CALLER;
    const isOlder = reported.isOlder === true || (attempt === 1 ? asleep : isNext && before.isOlder && !isNewCaller);
    const flags = { ...NEW_WAIT, isListener, isOlder, asleep };
    this.#waits.set(keyOf(reported), { ...about, ...times, ...counted, pollsWithin, ...flags });
    if (!isNext) this.#habits.begin(reported);
    if (isTry) this.#end(reported);
    return problems;
  }

  #sleeps({ wait, fields }: Expected, attempt: number, channel: string, client: string): boolean[] {
    if (attempt === 1 || wait?.isTry || wait?.pollsWithin !== undefined) return [false];
    if (fields.reason === 'not-head' && wait?.reported === 0) return [false];
    if (wait?.reported === 0) return [false, true];
    const isListening = this.#wakers.isListening(channel, client);
    return isListening === undefined ? [false, true] : [isListening];
  }

  #acquired(reported: Reported): string[] {
    const found = this.#find(reported);
    const before = found && isPollOver(found, reported.at) ? undefined : found;
    const problems = this.#wokenProblems(before, reported);
    const waited = before ? (reported.at - before.firstAt) / 1000 : undefined;
    const mayBeSilent = !before || (!before.asleep && before.attempt === 1);
    const isRight =
      reported.waitedMs === undefined ? mayBeSilent : Math.abs(Number(reported.waitedMs) - (waited ?? -1)) < 0.01;
    if (!isRight && reported.type === 'lock.acquired') problems.push(`waitedMs ${reported.waitedMs}, not ${waited}`);
    const isAtLeast = reported.waitedMs !== undefined && before?.isOlder === true;
    // a waiter in a queue may have been found there by a read
    if ((reported.waitedAtLeast === true) !== isAtLeast && reported.kind !== 'fair-lock')
      problems.push(`waitedAtLeast ${reported.waitedAtLeast}, not ${isAtLeast}`);
    this.#end(reported);
    return problems;
  }

  #wokenProblems(before: Wait | undefined, reported: Reported): string[] {
    const wakers = this.#wakers.of(before, reported.at);
    if (before?.asleep && reported.wokenBy !== undefined) this.#habits.wake(before, reported);
    // A message certainly woke this thread only if the thread still slept, and nothing else can have ended its sleep.
    if (reported.wokenBy === 'message' && before && !before.hasMoved && wakers.length === 1)
      this.#wakers.useMessage(before.channel, clientOf(before.holder));
    if (wakers.includes(reported.wokenBy as string | undefined)) return [];
    return [`wokenBy ${reported.wokenBy}, not ${wakers.join(' or ')}`];
  }

  /** Checks that the additional causes of an event freed the lock, or woke the holder. */
  causeProblems(right: Expected, reported: Reported, more: readonly number[]): string[] {
    const before = this.#find(reported);
    if (!right.wait || !before) return more.length === 0 ? [] : [`because names #${more}`];
    if (right.wait.role === 'leave' || right.wait.role === 'eviction') {
      return String(more) === String(before.lastSeq) ? [] : [`because names #${more}, not #${before.lastSeq}`];
    }
    const message = this.#wakers.messageOn(before.channel)?.seq ?? 0;
    const causes = this.#wakers.causes(before);
    const wrong = more.filter((seq) => !causes.includes(seq)).map((seq) => `because names #${seq}`);
    if (reported.wokenBy === 'message' && !more.includes(message))
      wrong.push(`because does not name the message #${message}`);
    const hasLost = this.#wakers.lastLoss(before) > before.lastSeq;
    if (reported.wokenBy === 'own-timer' && hasLost && more.length === 0)
      wrong.push('because does not say what freed the lock');
    return wrong;
  }

  #publish(channel: string, reported: Reported): void {
    const sleepers = [...this.#waits.values()].filter((wait) => !wait.isOver && wait.channel === channel);
    this.#wakers.publish(channel, reported, sleepers);
  }

  /** Notes that a client begins to listen for one of its threads that was refused. */
  #listen(channel: string, reported: Reported): string[] {
    this.#wakers.listen(channel, String(reported.client ?? ''), true);
    this.#listeningSince.set(`${channel} ${reported.client}`, reported.seq);
    this.#joinedAt.set(`${channel} ${reported.client}`, reported.at);
    const listener = this.#find(reported);
    if (listener && reported.holder !== undefined) listener.isListener = true;
    if (listener && reported.isOlder) listener.isOlder = true;
    const isMeant = ({ isOver, hasMoved }: Wait) => !isOver && (!hasMoved || reported.holder !== undefined);
    return this.#listenerProblems(channel, reported, isMeant, true);
  }

  /**
   * Notes that a client stopped listening, or that a waiter gave up: the waits are over, and that must have been
   * reported before.
   */
  #leave(channel: string | undefined, reported: Reported): string[] {
    if (channel === undefined) {
      this.#end(reported);
      return [];
    }
    const client = String(reported.client ?? '');
    this.#wakers.listen(channel, client, false);
    if (COUNTERS.has(reported.kind)) this.#end(reported);
    const asleep = [...this.#waits.values()].filter(
      (wait) => wait.channel === channel && wait.asleep && !wait.isGone && !wait.isOver,
    );
    const left = asleep.filter(({ holder }) => clientOf(holder) === client);
    return [
      ...left.map(({ holder }) => `${holder} stopped waiting, which was not reported`),
      ...this.#listenerProblems(channel, reported, () => true, this.#hasWaited(channel, reported)),
    ];
  }

  /** Whether a thread of the client attempted a second time, or acquired, since the client began to listen. */
  #hasWaited(channel: string, reported: Reported): boolean {
    const since = this.#listeningSince.get(`${channel} ${reported.client}`) ?? 0;
    const own = [...this.#waits.values()].filter(
      (wait) => wait.channel === channel && clientOf(wait.holder) === reported.client,
    );
    return own.some(({ isOver, attempt, endSeq }) => (isOver ? endSeq > since : attempt > 1));
  }

  /**
   * Checks the thread that an event names: it made its client listen, or its client stopped listening after its wait.
   * The thread must be waiting, or must have waited. `isKnown`: the event must name a thread, if one is possible.
   */
  #listenerProblems(channel: string, reported: Reported, isMeant: (wait: Wait) => boolean, isKnown: boolean): string[] {
    const waits = [...this.#waits.values()].filter((wait) => wait.channel === channel && isMeant(wait));
    const possible = waits.map(({ holder }) => holder).filter((holder) => clientOf(holder) === reported.client);
    const holder = reported.holder;
    // A waiter of a fair lock has a channel of its own, which names it.
    if (reported.client === undefined || COUNTERS.has(reported.kind) || channel.endsWith(`:${holder}`)) return [];
    const isRight = holder === undefined ? !isKnown || possible.length === 0 : possible.includes(String(holder));
    return isRight ? [] : [`holder ${holder}, not ${possible.join(' or ')}`];
  }

  /** Compares the report that a waiter stopped waiting with the possible reasons. */
  left(reported: Reported, rest: readonly Expected[]): string[] {
    const wait = this.#find(reported);
    if (!wait) return ['it did not wait'];
    const problems = leaveProblems(wait, reported, {
      rest,
      isBusy: this.#habits.end(wait, rest, this.#waits.values()),
      isAlone: this.#habits.isAlone(wait, this.#waits.values()),
      messageAt: this.#wakers.messageOn(wait.channel)?.at ?? 0,
      killedAt: this.#killed.get(clientOf(wait.holder)) ?? Number.POSITIVE_INFINITY,
    });
    if (reported.reason === 'presumed-gone' && !isLeaving(wait, rest)) wait.isGone = true;
    else this.#end(reported);
    return problems;
  }

  /** Sleepers whose timer ended long ago without an event about them. While their client listens, they may be late. */
  overdue(at: number): string[] {
    const late = [...this.#waits.values()].filter(
      ({ asleep, isGone, isOver, reported, lastAt, channel, holder }) =>
        asleep &&
        (channel.endsWith(`:${holder}`) || this.#wakers.isListening(channel, clientOf(holder)) === false) &&
        !isGone &&
        !isOver &&
        reported !== null &&
        reported >= 0 &&
        at > lastAt + reported * 1000 + SILENCE + LATE_REPORT,
    );
    for (const wait of late) wait.isGone = true;
    return late.map(({ holder, lock }) => `${holder} no longer waits for ${lock}, which was not reported`);
  }

  /** The current wait of the event's holder. */
  #find(reported: Reported): Wait | undefined {
    const wait = this.#waits.get(keyOf(reported));
    return wait?.isOver ? undefined : wait;
  }

  #end(reported: Reported): void {
    const wait = this.#waits.get(keyOf(reported));
    if (wait && !wait.isOver) Object.assign(wait, { isOver: true, endSeq: reported.seq });
  }
}

/** Waiters of these kinds have no thread: they are known by their connection. */
const COUNTERS: ReadonlySet<string> = new Set(['semaphore', 'expirable-semaphore', 'latch']);
