import type { Problem } from '../../../shared/wire/problems/problem.ts';
import type { ObserveLevel } from '../../../shared/wire/source.ts';
import { startTimer, stopTimer, type Timer, wallMs } from '../../redis/connection/surroundings.ts';

/** Not a failure: the connection ends because another level is wanted. */
export class LevelChange extends Error {}

/**
 * A change of level opens new connections and scans. At most one requested change begins in this time; a step down is
 * not delayed here.
 */
const CHANGE_EVERY_MS = 1000;
/** If MONITOR did harm, it is tried again after these pauses in turn. After the last one, it is not tried again. */
const RETRY_AFTER_MS = [60_000, 300_000, 900_000] as const;

/** A level for a time: `forMs` null means until the next request. `isForced`: its price was accepted. */
export type LevelWish = { readonly level: ObserveLevel; readonly forMs: number | null; readonly isForced: boolean };

/**
 * The level of a source, and the one it returns to.
 *
 *   events ── observe monitor for 5 min ──► monitor ── 5 min ──► events
 *   monitor ── harm ──► events ── 1 min ──► monitor ── harm ──► events ── 5 min ──► monitor …
 *   monitor ── too costly ──► events ── affordable ──► monitor
 *   monitor ── refused ──► events ── refused ──► snapshot       and back when it is permitted
 *   replication ── refused, or harmful ──► events
 */
export class LevelSwitch {
  /** The level of the current connection or, once a change begins, of the next one. */
  level: ObserveLevel;
  /** Why the level is lower than requested, or why the requested level ended. */
  reason: Problem | undefined;
  /** This machine's time when the requested level ends, ms; null: it has no end. */
  until: number | null = null;
  /** The price of MONITOR was accepted. */
  isForced = false;
  readonly #asked: ObserveLevel;
  readonly #onChange: (change: LevelChange) => void;
  #wanted: ObserveLevel;
  #changedAt = Number.NEGATIVE_INFINITY;
  #change: Timer | undefined;
  #end: Timer | undefined;
  #retry: Timer | undefined;
  #retreats = 0;
  #isPostponed = false;
  /**
   * The levels that this user may not use, the highest first. `before`: why the level was lower than requested before
   * that.
   */
  #refused: { readonly level: ObserveLevel; readonly before: Problem | undefined }[] = [];

  /** `onChange` ends the current connection, so that the next one begins at the new level. */
  constructor(asked: ObserveLevel, onChange: (change: LevelChange) => void) {
    this.level = asked;
    this.#onChange = onChange;
    this.#asked = asked;
    this.#wanted = asked;
  }

  /** The level that a change under way leads to. */
  get next(): ObserveLevel | undefined {
    return this.#wanted === this.level ? undefined : this.#wanted;
  }

  /** Switches to a level. The last request wins: one that has not begun yet is dropped. */
  goTo({ level, forMs, isForced }: LevelWish): void {
    this.#forget();
    this.#retreats = 0;
    this.isForced = isForced;
    if (forMs !== null) this.endAfter(forMs, this.#asked === level ? 'events' : this.#asked);
    this.#set(level);
  }

  /** Ends the current request after `forMs`; then the level `next` follows. */
  endAfter(forMs: number, next: ObserveLevel = 'events', reason?: Problem): void {
    stopTimer(this.#end);
    this.until = wallMs() + forMs;
    this.#end = startTimer(() => {
      this.#forget();
      this.reason = reason;
      this.#set(next);
    }, forMs);
  }

  /** Switches to the level below and keeps the reason. The caller ends the connection with the result. */
  stepDown(reason: Problem): LevelChange {
    const next = this.level === 'monitor' || this.level === 'replication' ? 'events' : 'snapshot';
    stopTimer(this.#change);
    this.#change = undefined;
    this.reason = reason;
    this.level = next;
    this.#wanted = next;
    this.#changedAt = wallMs();
    return new LevelChange(reason.message);
  }

  /** Steps down from a level that Redis refused, until `permitted` is called. */
  refuse(reason: Problem): LevelChange {
    this.#refused.push({ level: this.level, before: this.reason });
    return this.stepDown(reason);
  }

  /** The refused levels, the highest first. */
  get refused(): readonly ObserveLevel[] {
    return this.#refused.map(({ level }) => level);
  }

  /** Begins a refused level that is permitted now. A higher level may still be refused. */
  permitted(level: ObserveLevel): void {
    const index = this.refused.indexOf(level);
    this.reason = this.#refused[index]?.before;
    this.#refused = this.#refused.slice(0, index);
    this.#set(level);
  }

  /** Steps down from MONITOR, which is too costly now, until `affordable` is called. */
  postpone(reason: Problem): LevelChange {
    const change = this.stepDown(reason);
    this.#isPostponed = true;
    return change;
  }

  get isPostponed(): boolean {
    return this.#isPostponed;
  }

  /** Begins MONITOR, which is affordable now, if it was postponed. */
  affordable(): void {
    if (!this.#isPostponed) return;
    this.#isPostponed = false;
    this.reason = undefined;
    this.#set('monitor');
  }

  /**
   * Leaves MONITOR because it does harm. Tries it again later, at most three times, unless a lower level was requested.
   */
  retreat(reason: Problem): void {
    if (this.level !== 'monitor') return; // the same harm was reported before
    if (this.next === undefined) return this.#onChange(this.retreatQuietly(reason));
    stopTimer(this.#change);
    this.#apply();
  }

  /** As `retreat`, before the connection has begun: the caller ends it with the result. */
  retreatQuietly(reason: Problem): LevelChange {
    const change = this.stepDown(reason);
    const after = RETRY_AFTER_MS[this.#retreats++];
    stopTimer(this.#retry);
    if (after === undefined) return change;
    this.#retry = startTimer(() => {
      this.reason = undefined;
      this.#set('monitor');
    }, after);
    return change;
  }

  /** No level changes by itself any longer. */
  stop(): void {
    this.#forget();
    stopTimer(this.#change);
    this.#change = undefined;
    this.#wanted = this.level;
  }

  #forget(): void {
    stopTimer(this.#end);
    stopTimer(this.#retry);
    this.until = null;
    this.reason = undefined;
    this.isForced = false;
    this.#isPostponed = false;
    this.#refused = [];
  }

  #set(level: ObserveLevel): void {
    this.#wanted = level;
    if (this.#change !== undefined) return;
    const waitMs = this.#changedAt + CHANGE_EVERY_MS - wallMs();
    if (waitMs <= 0) this.#apply();
    else this.#change = startTimer(() => this.#apply(), waitMs);
  }

  #apply(): void {
    this.#change = undefined;
    if (this.#wanted === this.level) return;
    this.level = this.#wanted;
    this.#changedAt = wallMs();
    this.#onChange(new LevelChange(`level changed to ${this.level}`));
  }
}
