import { forgetOldest } from '../../base/forget-oldest.ts';
import { type Millis, millisBetween, plusMillis, type RedisTime } from '../../base/time.ts';
import type { UnlockOutcome } from '../actions/unlock-action.ts';
import type { HoldMode } from '../types/hold-event.ts';
import type { LockKind } from '../types/lock-kind.ts';
import { LeftLatches } from './left-latches.ts';

/** An unlock whose client has not shown yet that it got the answer. */
export type PendingUnlock = {
  readonly db: number;
  readonly lock: string;
  readonly kind: LockKind;
  readonly holder: string;
  readonly client: string;
  readonly at: RedisTime;
  readonly outcome: UnlockOutcome;
  readonly answerMs: Millis;
  readonly keptMs: Millis | null;
  readonly seq: number;
  /** The client sent the unlock again. */
  isRepeated?: true;
};

/** The refused attempts of a thread at one lock, all in this mode, since it last held the lock or attempted in another mode. */
type Refusals = {
  readonly db: number;
  readonly lock: string;
  mode: HoldMode;
  firstAt: RedisTime;
  lastAt: RedisTime;
};

const MOST_PENDING = 5000;
const MOST_CLIENTS = 10_000;
const MOST_RELEASES = 2000;
/** How many threads with refused attempts are remembered, and how many locks of each. */
const MOST_REFUSED = 2000;
const MOST_LOCKS = 100;

/**
 * Unlocks under way, by their latch, and which clients delete latches; also releases without a latch, and refused
 * attempts. Rules U1 to U4.
 */
export class UnlockTracker {
  readonly left = new LeftLatches();
  readonly #pending = new Map<string, PendingUnlock>();
  /**
   * Clients that were seen to delete a latch. For other clients a missing deletion proves nothing: it may just not be
   * seen.
   */
  readonly #answering = new Set<string>();
  /** By thread: the locks that it was refused and has not acquired since. The thread refused last comes last. */
  readonly #refused = new Map<string, Refusals[]>();
  /** Newest releases by scripts without a latch. */
  readonly #releases = new Map<string, { readonly seq: number; readonly at: RedisTime }>();

  begin(latch: string, unlock: PendingUnlock): void {
    this.#pending.delete(latch);
    this.#pending.set(latch, unlock);
    forgetOldest(this.#pending, MOST_PENDING);
  }

  /** The client sent this unlock again: the answer to the first one was lost. */
  repeat(latch: string): void {
    const unlock = this.#pending.get(latch);
    if (unlock) unlock.isRepeated = true;
  }

  /** The client waits for replicas first, so its answer may be late by this much. */
  extend(latch: string, ms: Millis): void {
    const unlock = this.#pending.get(latch);
    if (unlock) this.#pending.set(latch, { ...unlock, answerMs: unlock.answerMs + ms });
  }

  /** Forgets an unlock, because it is not known when the answer arrives. */
  drop(latch: string): void {
    this.#pending.delete(latch);
  }

  clientOf(latch: string): string | undefined {
    return this.#pending.get(latch)?.client;
  }

  /** The client deleted this latch: it has its answer. */
  answer(latch: string): void {
    const unlock = this.#pending.get(latch);
    if (!unlock) return;
    this.#noteAnswering(unlock.client);
    if (!unlock.isRepeated) this.#pending.delete(latch);
  }

  /** The client has an answer, but deleted another key: the latch of its oldest unlock of this lock stays. */
  answerAndLeave(db: number, lock: string, client: string, at: RedisTime): void {
    this.#noteAnswering(client);
    for (const [latch, unlock] of this.#pending) {
      if (unlock.client !== client || unlock.lock !== lock || unlock.db !== db) continue;
      this.#pending.delete(latch);
      if (unlock.keptMs !== null) this.left.note(client, at, unlock.keptMs);
      return;
    }
  }

  /**
   * Removes the unlocks that were sent again, and those whose client has waited long enough for an answer. Returns the
   * ones without an answer. For a client that was never seen to delete a latch, only a repeat shows that.
   */
  takeUnanswered(now: RedisTime): PendingUnlock[] {
    const unanswered: PendingUnlock[] = [];
    for (const [latch, unlock] of this.#pending) {
      if (!unlock.isRepeated && plusMillis(unlock.at, unlock.answerMs) > now) continue;
      this.#pending.delete(latch);
      if (unlock.isRepeated || this.#answering.has(unlock.client)) unanswered.push(unlock);
    }
    return unanswered;
  }

  /** Notes a release by a script without a latch. */
  noteRelease(db: number, lock: string, holder: string, release: { seq: number; at: RedisTime }): void {
    const key = keyOf(db, lock, holder);
    this.#releases.delete(key);
    this.#releases.set(key, release);
    forgetOldest(this.#releases, MOST_RELEASES);
  }

  /** The thread attempts this lock: a later unlock is not a repeat. `refused`: undefined if no holder refused it. */
  noteAttempt(db: number, lock: string, holder: string, refused: Pick<Refusals, 'mode' | 'lastAt'> | undefined): void {
    if (this.#releases.size > 0) this.#releases.delete(keyOf(db, lock, holder));
    const all = this.#refused.get(holder);
    const known = all && refusalsOf(all, db, lock);
    if (refused === undefined) {
      if (all && known) this.#forgetRefusals(holder, all, known);
      return;
    }
    if (known?.mode === refused.mode) known.lastAt = refused.lastAt;
    else if (known) Object.assign(known, refused, { firstAt: refused.lastAt });
    else this.#addRefusals(holder, all, { db, lock, ...refused, firstAt: refused.lastAt });
    // The order matters only when threads may soon be forgotten. Updating it at every attempt would be slow.
    if (all && this.#refused.size > MOST_REFUSED / 2) {
      this.#refused.delete(holder);
      this.#refused.set(holder, all);
    }
  }

  #addRefusals(holder: string, all: Refusals[] | undefined, refusals: Refusals): void {
    if (all) {
      all.push(refusals);
      if (all.length > MOST_LOCKS) all.shift();
      return;
    }
    this.#refused.set(holder, [refusals]);
    forgetOldest(this.#refused, MOST_REFUSED);
  }

  #forgetRefusals(holder: string, all: Refusals[], refusals: Refusals): void {
    if (all.length === 1) this.#refused.delete(holder);
    else all.splice(all.indexOf(refusals), 1);
  }

  /** When this thread was last refused the lock; undefined if it acquired the lock since, or if no refusal is known. */
  refusedAt(db: number, lock: string, holder: string): RedisTime | undefined {
    return this.#refusals(db, lock, holder)?.lastAt;
  }

  /**
   * When this thread was first refused the lock in this mode since it last held it; undefined: it was not, or that is
   * not known.
   */
  backAt(db: number, lock: string, holder: string, mode: HoldMode): RedisTime | undefined {
    const refused = this.#refusals(db, lock, holder);
    return refused?.mode === mode ? refused.firstAt : undefined;
  }

  #refusals(db: number, lock: string, holder: string): Refusals | undefined {
    const all = this.#refused.get(holder);
    return all && refusalsOf(all, db, lock);
  }

  /**
   * Removes the newest release of this thread. Returns it if a refused unlock at `at` repeats it: the release is as old
   * as a client's time-out, and the thread attempted nothing at this lock in between.
   */
  takeRepeated(db: number, lock: string, holder: string, at: RedisTime): { seq: number; at: RedisTime } | undefined {
    const key = keyOf(db, lock, holder);
    const release = this.#releases.get(key);
    this.#releases.delete(key);
    const ms = release ? millisBetween(release.at, at) : 0;
    return ms >= SHORTEST_TIMEOUT && ms <= LONGEST_TIMEOUT ? release : undefined;
  }

  /** Forgets all unlocks and refused attempts: not everything was seen, so unlocks may have been answered. */
  forget(): void {
    this.#pending.clear();
    this.#releases.clear();
    this.#refused.clear();
  }

  #noteAnswering(client: string): void {
    if (this.#answering.size >= MOST_CLIENTS) this.#answering.clear();
    this.#answering.add(client);
  }
}

/** A second unlock sooner than this is a second call, not a repeat after a time-out. */
const SHORTEST_TIMEOUT: Millis = 500;
const LONGEST_TIMEOUT: Millis = 30_000;

function refusalsOf(all: readonly Refusals[], db: number, lock: string): Refusals | undefined {
  for (const each of all) if (each.lock === lock && each.db === db) return each;
  return undefined;
}

function keyOf(db: number, lock: string, holder: string): string {
  return `${db}/${holder}/${lock}`;
}
