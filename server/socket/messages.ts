import { isOfSource, type LockEvent } from '../../shared/events/event.ts';
import { lockIdOf } from '../../shared/state/lock-state.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import { problem } from '../../shared/wire/problems/problem.ts';
import type { BatchMessage, SnapshotMessage } from '../../shared/wire/socket.ts';
import type { Observatory } from '../watch/observatory.ts';
import type { ChangeLog, Changes } from './change-log.ts';
import type { Step } from './message-step.ts';
import type { Subscription, Viewer } from './viewer.ts';
import { countFitting, fitting, MOST_WEIGHT, weightOf } from './weight.ts';

/** Most events in one batch. A connected page that is further behind gets only the newest events. */
const MOST_EVENTS = 2000;
/** Newest events that such a page still gets. */
const KEPT_EVENTS = 200;
const SNAPSHOT_USUAL = 1000;
const SNAPSHOT_MOST = 5000;
/**
 * Most changed locks in one batch. For more locks, a snapshot is shorter. After a snapshot, a page requests what the
 * snapshot left out.
 */
const MOST_LOCKS = SNAPSHOT_MOST;

/** Makes messages from the current state of the observatory. */
export class MessageMaker {
  readonly #observatory: Observatory;
  readonly #log: ChangeLog;
  readonly #run: string;

  constructor(observatory: Observatory, log: ChangeLog, run: string) {
    this.#observatory = observatory;
    this.#log = log;
    this.#run = run;
  }

  get newestSeq(): number {
    return this.#observatory.history.nextSeq() - 1;
  }

  /** The next step for a page that has sent `hello`. */
  next(viewer: Viewer): Step {
    switch (viewer.pending) {
      case 'missed':
        return this.#missed(viewer);
      case 'live':
        return this.#live(viewer);
      default: {
        const message = this.#snapshot(viewer.subscription);
        return { type: 'snapshot', message, seq: message.seq, tick: this.#log.tick };
      }
    }
  }

  /** The current state: up to 1,000 locks, or up to 5,000 if more are held or waited for. These are first. */
  #snapshot(subscription: Subscription): SnapshotMessage {
    const locks = this.#present(subscription);
    const busy = locks.findLastIndex(isBusy) + 1;
    const count = Math.min(Math.max(busy, SNAPSHOT_USUAL), SNAPSHOT_MOST);
    const shown = fitting(locks.slice(0, count), MOST_WEIGHT);
    const truncated = locks.length > shown.length;
    const known = truncated && !subscription.locks ? this.#observatory.memory?.() : undefined;
    return {
      v: 1,
      run: this.#run,
      seq: this.newestSeq,
      at: this.#observatory.now(),
      locks: shown,
      sources: this.#observatory.sources(),
      truncated,
      ...(known ? { total: known.locks, totalHeld: known.locksHeld } : {}),
      names: Object.fromEntries(fitting(Object.entries(this.#observatory.clientNames()), MOST_WEIGHT / 4)),
    };
  }

  /**
   * The locks a page asked for, busy ones first. If it asked for all locks: one more of each sort than a snapshot can
   * show.
   */
  #present(subscription: Subscription): Lock[] {
    if (!subscription.locks) return this.#observatory.locks(SNAPSHOT_USUAL + 1, SNAPSHOT_MOST + 1);
    const wanted = [...subscription.locks]
      .map((id) => this.#observatory.lockById(id))
      .filter((lock) => lock !== undefined);
    return wanted.sort((a, b) => Number(isBusy(b)) - Number(isBusy(a)));
  }

  /** The next part of what a page missed: every event, in as many batches as needed. The last batch has the locks. */
  #missed({ seq, resumedAtSeq, subscription, extra }: Viewer): Step {
    const found = this.#observatory.history.after(seq, MOST_EVENTS);
    const events = found?.slice(0, Math.max(1, countFitting(found)));
    const reach = events?.at(-1)?.seq ?? seq;
    const isLast = reach >= this.newestSeq;
    const changes = this.#log.sinceSeq(resumedAtSeq);
    if (!events || !changes) return { type: 'resync', reason: problem('missed-too-much') };
    const message = isLast
      ? this.#batch({ from: seq, to: reach, events, changes, subscription, extra })
      : this.#batch({ from: seq, to: reach, events, changes: NO_CHANGES, subscription, extra: NONE });
    return message === 'too-much'
      ? TOO_MUCH
      : { type: 'batch', message, seq: reach, tick: this.#log.tick, done: isLast };
  }

  /** What is new since a page's last batch. A page far behind gets all changed locks, but only the newest events. */
  #live({ seq, tick, subscription, extra }: Viewer): Step {
    const news = this.#newsSince(seq, tick);
    if (!news) return FORGOTTEN;
    const { to, events, changes, skipped } = news;
    const message = this.#batch({ from: seq, to, events, changes, subscription, extra, skipped });
    if (message === 'too-much') return TOO_MUCH;
    const isEmpty = message.locks.length === 0 && message.gone.length === 0 && message.events.length === 0;
    if (isEmpty && message.sources === undefined && skipped === 0)
      return { type: 'quiet', seq: to, tick: this.#log.tick };
    return { type: 'batch', message, seq: to, tick: this.#log.tick, done: true };
  }

  /**
   * The events after `seq` and the changes after `tick`; `undefined` if some changes are forgotten. Of too
   * many events, only the newest are returned; `skipped` counts the others.
   */
  #newsSince(seq: number, tick: number): News | undefined {
    const to = this.newestSeq;
    const changes = this.#log.since(tick);
    if (!changes) return undefined;
    const whole = to - seq <= MOST_EVENTS ? this.#observatory.history.after(seq, MOST_EVENTS) : undefined;
    const newest = whole ?? this.#observatory.history.after(to - KEPT_EVENTS, KEPT_EVENTS) ?? [];
    const count = countFitting(reversed(newest));
    const events = count === newest.length ? newest : newest.slice(newest.length - count);
    return { events, changes, to, skipped: to - seq - events.length };
  }

  #batch(part: Part): BatchMessage | 'too-much' {
    const { from, to, events, changes, subscription, extra, skipped = 0 } = part;
    const isWanted = (id: string) => subscription.locks?.has(id) ?? true;
    const ids = new Set([...changes.changed.filter(isWanted), ...extra]);
    const gone = changes.gone.filter(isWanted);
    if (ids.size > MOST_LOCKS || gone.length > MOST_LOCKS) return 'too-much';
    if (weightOf(gone) > MOST_WEIGHT) return 'too-much';
    const locks: Lock[] = [];
    let weight = 0;
    for (const id of ids) {
      const lock = this.#observatory.lockById(id);
      if (!lock) continue;
      weight += weightOf(lock);
      if (weight > MOST_WEIGHT) return 'too-much';
      locks.push(lock);
    }
    return {
      v: 1,
      fromSeq: from + 1,
      toSeq: to,
      at: this.#observatory.now(),
      events: eventsFor(subscription, events),
      locks,
      gone,
      ...(changes.haveSourcesChanged ? { sources: this.#observatory.sources() } : {}),
      ...(skipped > 0 ? { skipped } : {}),
    };
  }
}

/** What is new since the last message. `skipped` counts events that are not sent. */
type News = {
  readonly events: readonly LockEvent[];
  readonly changes: Changes;
  readonly to: number;
  readonly skipped: number;
};

type Part = {
  from: number;
  to: number;
  events: readonly LockEvent[];
  changes: Changes;
  subscription: Subscription;
  extra: ReadonlySet<string>;
  skipped?: number;
};

const NONE: ReadonlySet<string> = new Set();
const NO_CHANGES: Changes = { changed: [], gone: [], haveSourcesChanged: false };
const FORGOTTEN: Step = { type: 'resync', reason: problem('too-many-changes') };
const TOO_MUCH: Step = { type: 'resync', reason: problem('too-much-at-once') };

function isBusy({ held, waiters }: Lock): boolean {
  return held || waiters.length > 0;
}

function* reversed<T>(list: readonly T[]): Generator<T> {
  for (let n = list.length - 1; n >= 0; n--) yield list[n] as T; // the index is within the list
}

/** Events of a whole source, such as blind spots, concern every page that wants events. */
function eventsFor({ locks, events: wantsEvents }: Subscription, events: readonly LockEvent[]): readonly LockEvent[] {
  if (!wantsEvents) return [];
  if (!locks) return events;
  return events.filter((event) => isOfSource(event) || locks.has(lockIdOf(event)));
}
