import { clientOf } from './book.ts';
import type { Expected } from './expected.ts';
import { Habits } from './habits.ts';
import type { Told } from './judge.ts';
import { isLeaving, leaveProblems, SILENCE } from './leaving.ts';
import { attemptsOf, isPollOver, keyOf, pollNumbers, pollsOf, type Wait, Wakers } from './wakers.ts';

/** Lockscope reports silence when it reads the next line. */
const LATE_REPORT = 1_000_000;

/** Nothing but attempts of a wait has been seen. */
const BEGUN = { isGone: false, isOver: false, hasMoved: false, isListener: false, endSeq: 0 };

/** Follows each wait from its first refusal to its end, and compares the events about it. */
export class Waits {
  readonly #killed: ReadonlyMap<string, number>;
  readonly #waits = new Map<string, Wait>();
  readonly #wakers = new Wakers();
  readonly #habits = new Habits();
  /** The subscription of each client, by channel. */
  readonly #listeningSince = new Map<string, number>();

  constructor(killed: ReadonlyMap<string, number>) {
    this.#killed = killed;
  }

  /** Compares the fields about waiting of one event, and stores what the event means for waiters. */
  follow(right: Expected, told: Told): string[] {
    return [...this.#habits.note(told, this.#waits.values()), ...this.#follow(right, told)];
  }

  #follow(right: Expected, told: Told): string[] {
    const { wait } = right;
    if (!wait) return [];
    switch (wait.role) {
      case 'refused':
        return this.#refused(right, told);
      case 'acquired':
        return this.#acquired(told);
      case 'message':
        this.#publish(wait.channel ?? '', told);
        return [];
      case 'loss':
      case 'quiet':
      case 'eviction':
        this.#wakers.lose(wait.role, told);
        return [];
      case 'listen':
        return this.#listen(wait.channel ?? '', told);
      case 'leave':
        return this.#leave(wait.channel, told);
    }
  }

  /** A semaphore's waiters are known by their connections. They wait while these listen. */
  #refusedPermits(right: Expected, told: Told): string[] {
    const before = this.#find(told);
    const { db, lock, at, seq } = told;
    const channel = right.wait?.channel ?? '';
    const [holder, asleep, firstAt] = [String(told.holder), told.asleep === true, before?.firstAt ?? at];
    const about = { db, lock, holder, channel, kind: told.kind };
    const times = { firstAt, attempt: 1, lastAt: at, lastSeq: seq, told: null, asleep };
    const polling = { pollsWithin: undefined, polls: 0, polledSince: at };
    this.#waits.set(keyOf(told), { ...about, ...times, ...polling, ...BEGUN, isGone: true });
    return [];
  }

  #refused(right: Expected, told: Told): string[] {
    if (told.type === 'permits.refused') return this.#refusedPermits(right, told);
    const before = this.#find(told);
    const { channel = '', isTry = false, pollsWithin } = right.wait ?? {};
    const attempt = Number(told.attempt);
    const problems: string[] = [];
    const attempts = pollsWithin
      ? pollNumbers(before, told)
      : attemptsOf(before, told.at, (client) => this.#wakers.isListening(channel, client));
    if (!attempts.includes(attempt)) problems.push(`attempt ${attempt}, not ${attempts.join(' or ')}`);
    const sleeps = this.#sleeps(right, attempt, channel, clientOf(String(told.holder)));
    if (!sleeps.includes(told.asleep as boolean)) problems.push(`asleep ${told.asleep}, not ${sleeps.join(' or ')}`);
    problems.push(...this.#wokenProblems(before, told));
    const polls = pollsWithin ? pollsOf(before, told.at) : 0;
    const polledSince = polls > 1 && before ? before.polledSince : told.at;
    const isNext = before !== undefined && attempt > 1;
    const firstAt = attempt === polls ? polledSince : isNext ? before.firstAt : told.at;
    // Once a spin lock is recognised, the number that was reported counts.
    const counted = told.kind === 'lock' ? { polls, polledSince } : { polls: attempt, polledSince: firstAt };
    const { db, lock, at, seq, kind } = told;
    const about = { db, lock, holder: String(told.holder), channel, kind };
    const times = { firstAt, attempt, lastAt: at, lastSeq: seq, told: right.wait?.told ?? null };
    const isListener = isNext && before.isListener;
    const asleep = told.asleep === true;
    this.#waits.set(keyOf(told), { ...about, ...times, ...counted, pollsWithin, ...BEGUN, isListener, asleep });
    if (!isNext) this.#habits.begin(told);
    if (isTry) this.#end(told);
    return problems;
  }

  #sleeps({ wait, fields }: Expected, attempt: number, channel: string, client: string): boolean[] {
    if (attempt === 1 || wait?.isTry || wait?.pollsWithin !== undefined) return [false];
    if (fields.reason === 'not-head' && wait?.told === 0) return [false];
    if (wait?.told === 0) return [false, true];
    const isListening = this.#wakers.isListening(channel, client);
    return isListening === undefined ? [false, true] : [isListening];
  }

  #acquired(told: Told): string[] {
    const found = this.#find(told);
    const before = found && isPollOver(found, told.at) ? undefined : found;
    const problems = this.#wokenProblems(before, told);
    const waited = before ? (told.at - before.firstAt) / 1000 : undefined;
    const mayBeSilent = !before || (!before.asleep && before.attempt === 1);
    const isRight = told.waitedMs === undefined ? mayBeSilent : Math.abs(Number(told.waitedMs) - (waited ?? -1)) < 0.01;
    if (!isRight && told.type === 'lock.acquired') problems.push(`waitedMs ${told.waitedMs}, not ${waited}`);
    this.#end(told);
    return problems;
  }

  #wokenProblems(before: Wait | undefined, told: Told): string[] {
    const wakers = this.#wakers.of(before, told.at);
    if (before?.asleep && told.wokenBy !== undefined) this.#habits.wake(before, told);
    // A message is used up for certain only if nothing else can have ended the sleep, and if the thread still slept.
    if (told.wokenBy === 'message' && before && !before.hasMoved && wakers.length === 1)
      this.#wakers.spend(before.channel, clientOf(before.holder));
    if (wakers.includes(told.wokenBy as string | undefined)) return [];
    return [`wokenBy ${told.wokenBy}, not ${wakers.join(' or ')}`];
  }

  /** Checks that the additional causes of an event freed the lock, or woke the holder. */
  causeProblems(right: Expected, told: Told, more: readonly number[]): string[] {
    const before = this.#find(told);
    if (!right.wait || !before) return more.length === 0 ? [] : [`because names #${more}`];
    if (right.wait.role === 'leave' || right.wait.role === 'eviction') {
      return String(more) === String(before.lastSeq) ? [] : [`because names #${more}, not #${before.lastSeq}`];
    }
    const message = this.#wakers.messageOn(before.channel)?.seq ?? 0;
    const causes = this.#wakers.causes(before);
    const wrong = more.filter((seq) => !causes.includes(seq)).map((seq) => `because names #${seq}`);
    if (told.wokenBy === 'message' && !more.includes(message))
      wrong.push(`because does not name the message #${message}`);
    const hasLost = this.#wakers.lastLoss(before) > before.lastSeq;
    if (told.wokenBy === 'own-timer' && hasLost && more.length === 0)
      wrong.push('because does not say what freed the lock');
    return wrong;
  }

  #publish(channel: string, told: Told): void {
    const sleepers = [...this.#waits.values()].filter((wait) => !wait.isOver && wait.channel === channel);
    this.#wakers.publish(channel, told, sleepers);
  }

  /** A client begins to listen for one of its threads that was refused. */
  #listen(channel: string, told: Told): string[] {
    this.#wakers.listen(channel, String(told.client ?? ''), true);
    this.#listeningSince.set(`${channel} ${told.client}`, told.seq);
    const listener = this.#find(told);
    if (listener && told.holder !== undefined) listener.isListener = true;
    const isMeant = ({ isOver, hasMoved }: Wait) => !isOver && (!hasMoved || told.holder !== undefined);
    return this.#guestProblems(channel, told, isMeant, true);
  }

  /** A client stopped listening, or a waiter gave up: its waits are over, which must have been reported before. */
  #leave(channel: string | undefined, told: Told): string[] {
    if (channel === undefined) {
      this.#end(told);
      return [];
    }
    const client = String(told.client ?? '');
    this.#wakers.listen(channel, client, false);
    if (COUNTERS.has(told.kind)) this.#end(told);
    const asleep = [...this.#waits.values()].filter(
      (wait) => wait.channel === channel && wait.asleep && !wait.isGone && !wait.isOver,
    );
    const left = asleep.filter(({ holder }) => clientOf(holder) === client);
    return [
      ...left.map(({ holder }) => `${holder} stopped waiting, which was not reported`),
      ...this.#guestProblems(channel, told, () => true, this.#hasWaited(channel, told)),
    ];
  }

  /** Whether a thread of the client attempted a second time, or acquired, since the client listens. */
  #hasWaited(channel: string, told: Told): boolean {
    const since = this.#listeningSince.get(`${channel} ${told.client}`) ?? 0;
    const own = [...this.#waits.values()].filter(
      (wait) => wait.channel === channel && clientOf(wait.holder) === told.client,
    );
    return own.some(({ isOver, attempt, endSeq }) => (isOver ? endSeq > since : attempt > 1));
  }

  /** Checks the thread that made a client listen, or that left: it must have, or have had, a wait of that client. */
  #guestProblems(channel: string, told: Told, isMeant: (wait: Wait) => boolean, isKnown: boolean): string[] {
    const waits = [...this.#waits.values()].filter((wait) => wait.channel === channel && isMeant(wait));
    const possible = waits.map(({ holder }) => holder).filter((holder) => clientOf(holder) === told.client);
    const holder = told.holder;
    // A waiter of a fair lock has a channel of its own, which names it.
    if (told.client === undefined || COUNTERS.has(told.kind) || channel.endsWith(`:${holder}`)) return [];
    const isRight = holder === undefined ? !isKnown || possible.length === 0 : possible.includes(String(holder));
    return isRight ? [] : [`holder ${holder}, not ${possible.join(' or ')}`];
  }

  /** Compares the report that a waiter stopped waiting with the possible reasons. */
  left(told: Told, rest: readonly Expected[]): string[] {
    const wait = this.#find(told);
    if (!wait) return ['it did not wait'];
    const problems = leaveProblems(wait, told, {
      rest,
      isBusy: this.#habits.end(wait, rest, this.#waits.values()),
      isAlone: this.#habits.isAlone(wait, this.#waits.values()),
      messageAt: this.#wakers.messageOn(wait.channel)?.at ?? 0,
      killedAt: this.#killed.get(clientOf(wait.holder)) ?? Number.POSITIVE_INFINITY,
    });
    if (told.reason === 'presumed-gone' && !isLeaving(wait, rest)) wait.isGone = true;
    else this.#end(told);
    return problems;
  }

  /** Sleepers whose timer ended long ago without an event about them. */
  overdue(at: number): string[] {
    const late = [...this.#waits.values()].filter(
      ({ asleep, isGone, isOver, told, lastAt }) =>
        asleep && !isGone && !isOver && told !== null && told >= 0 && at > lastAt + told * 1000 + SILENCE + LATE_REPORT,
    );
    for (const wait of late) wait.isGone = true;
    return late.map(({ holder, lock }) => `${holder} no longer waits for ${lock}, which was not reported`);
  }

  /** The current wait of the event's holder. */
  #find(told: Told): Wait | undefined {
    const wait = this.#waits.get(keyOf(told));
    return wait?.isOver ? undefined : wait;
  }

  #end(told: Told): void {
    const wait = this.#waits.get(keyOf(told));
    if (wait && !wait.isOver) Object.assign(wait, { isOver: true, endSeq: told.seq });
  }
}

/** Waiters of these kinds have no thread: they are known by their connection. */
const COUNTERS: ReadonlySet<string> = new Set(['semaphore', 'expirable-semaphore', 'latch']);
