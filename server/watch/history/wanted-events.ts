import { plusMillis, type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { isOfSource, type LockEvent } from '../../../shared/events/event.ts';
import type { DroppedEvents, Wants } from '../../../shared/insights/detector.ts';
import { isWantedEvent } from '../../../shared/insights/run.ts';
import { lockIdOf } from '../../../shared/state/lock-state.ts';
import { KeptBeside } from './kept-beside.ts';
import type { LookChanges } from './look-changes.ts';

/** How many events of each list are kept: the newest. */
const MOST_WANTED = 5000;
const MOST_BESIDE = 20_000;
const NO_EVENTS: readonly LockEvent[] = [];

/**
 * The newest events that detectors want, so that a look at the present need not search the history.
 *
 * - `wanted` events are rare.
 * - Events of `beside` are needed together with a wanted event of the same lock. They may be frequent, so they have a
 *   list of their own.
 * - When the oldest events are dropped, those that a detector needs beside a wanted event stay (`KeptBeside`).
 */
export class WantedEvents {
  readonly #wants: Wants;
  readonly #changes: LookChanges;
  readonly #wanted: LockEvent[] = [];
  readonly #beside: LockEvent[] = [];
  /** The events of both lists, by lock. */
  readonly #byLock = new Map<string, LockEvent[]>();
  /**
   * When the newest wanted event of each lock was. A lock without a recent wanted event costs nothing, however many
   * events of `beside` it has.
   */
  readonly #newest = new Map<string, RedisTime>();
  readonly #kept = new KeptBeside();
  #dropped: DroppedEvents | undefined;

  constructor(wants: Wants, changes: LookChanges) {
    this.#wants = wants;
    this.#changes = changes;
  }

  /** What was dropped because a list was full. */
  get dropped(): DroppedEvents | undefined {
    return this.#dropped;
  }

  take(event: LockEvent): void {
    if (isWantedEvent(this.#wants, event)) this.#push(this.#wanted, event, MOST_WANTED);
    else if (this.#wants.beside.includes(event.type)) this.#push(this.#beside, event, MOST_BESIDE);
  }

  /** Replaces the event that has the same `seq`. */
  amend(event: LockEvent): void {
    const ofLock = this.#byLock.get(lockIdOf(event)) ?? [];
    for (const list of [this.#wanted, this.#beside, ofLock]) {
      const place = list.findLastIndex(({ seq }) => seq === event.seq);
      if (place < 0) continue;
      list[place] = event;
      this.#noteNewest(event);
      this.#noteChange(event);
    }
  }

  /** The events that detectors want now, oldest first. */
  now(at: RedisTime): LockEvent[] {
    const from = plusMillis(at, -this.#wants.withinMs);
    const locks = new Set(this.#wanted.filter((event) => event.at >= from).map(lockIdOf));
    return [...locks].flatMap((id) => this.of(id, at)).sort((a, b) => a.seq - b.seq);
  }

  /** The events of one lock that detectors want now, oldest first. */
  of(id: string, at: RedisTime): readonly LockEvent[] {
    const { types, withinMs } = this.#wants;
    const from = plusMillis(at, -withinMs);
    const all = this.#byLock.get(id);
    const newest = this.#newest.get(id);
    if (!all || newest === undefined || newest < from) return NO_EVENTS;
    const recent = all.filter((event) => event.at >= from);
    return recent.some(({ type }) => types.includes(type)) ? recent : NO_EVENTS;
  }

  /** The recent wanted events of all locks of a source, oldest first, without events from `beside`. */
  ofLocks(source: string, at: RedisTime): readonly LockEvent[] {
    const from = plusMillis(at, -this.#wants.withinMs);
    return this.#wanted.filter((event) => event.source === source && event.at >= from && !isOfSource(event));
  }

  /**
   * Adds an event. If the list is full, drops its oldest quarter, so that the list need not move at every event. Also
   * drops that quarter if all of it is too old. An event may be dated back, so too old means twice as old as detectors
   * want.
   */
  #push(list: LockEvent[], event: LockEvent, most: number): void {
    const id = lockIdOf(event);
    const ofLock = this.#byLock.get(id) ?? [];
    this.#kept.take(event, id, list === this.#wanted, ofLock);
    list.push(event);
    ofLock.push(event);
    this.#byLock.set(id, ofLock);
    this.#noteNewest(event);
    this.#noteChange(event);
    const quarter = Math.ceil(list.length / 4);
    const oldest = list[quarter - 1]?.at ?? event.at;
    const isOld = oldest < plusMillis(event.at, -2 * this.#wants.withinMs);
    const isFull = list.length > most;
    if (!isFull && !isOld) return;
    const dropped = list.splice(0, quarter);
    if (isFull) this.#noteDropped(dropped, event.at);
    this.#drop(dropped);
  }

  #noteDropped(dropped: readonly LockEvent[], now: RedisTime): void {
    const { since, to } = this.#dropped ?? { since: now, to: redisTime(0) };
    this.#dropped = { since, to: redisTime(Math.max(to, ...dropped.map(({ at }) => at))) };
  }

  #drop(dropped: readonly LockEvent[]): void {
    const gone = this.#kept.drop(dropped, lockIdOf);
    for (const id of new Set(dropped.map(lockIdOf))) {
      const left = (this.#byLock.get(id) ?? []).filter(({ seq }) => !gone.has(seq));
      if (left.length > 0) this.#byLock.set(id, left);
      else {
        this.#byLock.delete(id);
        this.#newest.delete(id);
      }
    }
    for (const event of dropped) this.#noteChange(event);
  }

  #noteNewest(event: LockEvent): void {
    if (!this.#wants.types.includes(event.type)) return;
    const id = lockIdOf(event);
    const newest = this.#newest.get(id);
    if (newest === undefined || newest < event.at) this.#newest.set(id, event.at);
  }

  #noteChange(event: LockEvent): void {
    this.#changes.event(event, this.#wants.types.includes(event.type));
  }
}
