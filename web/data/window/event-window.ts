import { firstFrom } from '../../../shared/base/search.ts';
import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { isOfSource, type LockEvent } from '../../../shared/events/event.ts';
import { regroupIn } from '../../../shared/events/groups/regrouped.ts';
import { RunThinner } from '../../../shared/spans/thin-runs.ts';
import { type LockState, lockIdOf } from '../../../shared/state/lock-state.ts';
import type { LockPart } from '../../../shared/state/replay/lock-replay.ts';
import { PastWorld } from '../../../shared/state/replay/past-world.ts';
import { type BlindSpot, beganBlind, blindSpotsFrom } from './blind-spots.ts';
import { type Drop, dropsBehind, joinedDrops } from './drops.ts';
import { EMPTY_RANGE, joined, type LoadedRange } from './loaded-range.ts';
import type { Loading, Memory } from './memory.ts';
import type { Outline } from './outline.ts';
import { OwnEvents } from './own-events.ts';
import type { TimeSpan } from './time-span.ts';
import { WindowLocks, type WindowReader } from './window-locks.ts';

/**
 * How many events are kept when the window is cut: the events farthest from the anchor are dropped. Live events may
 * exceed this number by 10 % before the window is cut.
 */
export const WINDOW_CAP = 50_000;

/** Returned by `append` if the events between the `seq`s `after` and `before` are missing. */
type Hole = { readonly after: number; readonly before: number };

/**
 * The window of events that this page has loaded: the state of every lock at its left edge, and all events in it, in
 * order of `seq`. While `to` is null it follows live events. The inner events of a dense run are left out: a hot loop
 * has the same mark without them, and the window has room for more events of other kinds.
 *
 *   memory   ┃ dropped ┃··· not loaded ···|state ==== events ==== ► to|··· not loaded ···| now
 */
export class EventWindow {
  readonly #locks = new WindowLocks();
  #events: LockEvent[] = [];
  #thinner = new RunThinner();
  #edge = new PastWorld();
  #blindSpots: BlindSpot[] | null = null;
  #place: { readonly version: number; readonly at: number; readonly seq: number } | null = null;
  /** What the server has in memory; null before it was asked, and if it has nothing. */
  memory: Memory | null = null;
  /** The range that is being read. */
  loading: Loading | null = null;
  /** All events of single locks, also beyond this window. */
  readonly own = new OwnEvents();
  /** What is shown where no events are loaded; null before it was needed. */
  outline: Outline | null = null;
  /** When locks were dropped from the server's memory. */
  drops: readonly Drop[] = [];
  /** Left edge; null until something has been read. */
  from: RedisTime | null = null;
  /** Right edge; null: it follows live events. */
  to: RedisTime | null = null;
  /** The `seq` of the last event that the state at the left edge includes. */
  stateSeq = 0;
  /** No event that the state at the left edge includes is dated later than this. */
  joinAt = redisTime(0);
  /** From `stateSeq` up to this `seq`, no event is missing except inner ones of dense runs. */
  lastSeq = 0;
  /** Name of the only lock whose events are taken; empty: all locks. */
  onlyLock = '';
  /** The events farthest from here are dropped first; null: farthest from now. */
  anchor: RedisTime | null = null;
  /** The `snapshotCount` of the live state when events were last taken: a restarted server starts its numbers again. */
  snapshotCount = 0;
  /** Increases when events, drops or the outline change. */
  version = 0;
  /** Increases when all events are taken again from the left edge, for example after an older range was added. */
  rebuilds = 0;

  get events(): readonly LockEvent[] {
    return this.#events;
  }

  /** True while live events are taken. */
  get isFollowing(): boolean {
    return this.from !== null && this.to === null;
  }

  /** Sets what the server has in memory; returns whether that differs from the value before. */
  setMemory(memory: Memory | null): boolean {
    if (memory?.oldestAt === this.memory?.oldestAt && memory?.hasDropped === this.memory?.hasDropped) return false;
    this.memory = memory;
    return true;
  }

  /** Takes all events of one lock in a range up to `to`. */
  setOwn(id: string, range: LoadedRange, to: RedisTime): void {
    this.own.set(id, range, to);
    for (const reader of this.#locks.readers) reader.hasMore(id);
    this.#changed();
  }

  /** Whether all events of a lock in a range are known. */
  isWhole(id: string, span: TimeSpan): boolean {
    const { from, to } = this;
    const isInWindow = from !== null && from <= span.from && (to === null || to >= span.to);
    return isInWindow || this.own.covers(id, span, this.#edges());
  }

  /** Whether events of a lock in a range are missing, and can be read from the server because they are not too many. */
  lacksEvents(id: string, span: TimeSpan): boolean {
    return !this.own.hasTooMany(id, span) && !this.isWhole(id, span);
  }

  setOutline(outline: Outline | null): void {
    this.outline = outline;
    this.version++;
  }

  /** Reports every change to a reader, for as long as the page is open. */
  addReader(reader: WindowReader): void {
    this.#locks.readers.push(reader);
  }

  /** Every lock with a state at the left edge, with an event, or with a drop. */
  lockIds(): IterableIterator<string> {
    return this.#locks.ids();
  }

  eventsOf(id: string): readonly LockEvent[] {
    return this.#locks.eventsOf(id);
  }

  partOf(id: string): LockPart {
    return this.#locks.partOf(id);
  }

  /**
   * The lock's events in this window, with blind spots and drops added as events that end open holds and waits.
   * Undefined for an unknown lock.
   */
  brokenPartOf(id: string): LockPart | undefined {
    return this.own.around(id, { part: this.partOf(id), ...this.#edges() }) ?? this.#locks.brokenPartOf(id);
  }

  /** A lock at an instant, as the server replays it; undefined if nothing was known about it then. */
  lockAt(id: string, at: RedisTime): LockState | undefined {
    return this.#locks.lockAt(id, at, this.#lastUntil(at));
  }

  /** Adds drops; known ones are ignored. */
  drop(drops: readonly Drop[]): void {
    const all = joinedDrops(this.drops, drops);
    if (all === this.drops) return;
    this.drops = all;
    this.#locks.drop(all);
    this.#changed();
  }

  /** The time of a lock's last event in this window, or of its last change before; 0 if there is neither. */
  lastAt(id: string): number {
    const { base, events } = this.partOf(id);
    return events.at(-1)?.at ?? base?.changedAt ?? 0;
  }

  /** The number of events before an instant, and from it on. */
  countsAround(at: RedisTime): { before: number; after: number } {
    const before = firstFrom(this.#events, at, (event) => event.at);
    return { before, after: this.#events.length - before };
  }

  /**
   * Adds the events that are newer than all events of the window, if it follows live events. If some are missing before
   * them, adds none and returns the hole. From the `seq` `wholeFrom` on, `events` lacks only inner ones of dense runs.
   */
  append(events: readonly LockEvent[], wholeFrom: number): Hole | null {
    if (!this.isFollowing) return null;
    const first = firstFrom(events, this.lastSeq + 1, (event) => event.seq);
    if (!events[first]) return null;
    if (wholeFrom > this.lastSeq + 1) return { after: this.lastSeq, before: wholeFrom };
    for (let i = first; i < events.length; i++) this.#take(events[i] as LockEvent); // i is below the length
    this.lastSeq = events.at(-1)?.seq ?? this.lastSeq;
    this.#changed();
    if (this.#events.length > WINDOW_CAP * 1.1) this.#dropFarthest();
    return null;
  }

  /** Adds a range that reaches at least to the left edge of this one. */
  prepend(left: LoadedRange): void {
    const { from } = this;
    if (from === null) return this.replace(left);
    this.#rebuild(joined(left, this.#range(from)));
    if (this.#events.length > WINDOW_CAP) this.#dropFarthest();
  }

  /** Adds a range that begins at or before the right edge of this one. */
  extend(right: LoadedRange): void {
    const { from } = this;
    if (from === null) return this.replace(right);
    this.#rebuild(joined(this.#range(from), right));
    if (this.#events.length > WINDOW_CAP) this.#dropFarthest();
  }

  /** Replaces the range and its events. The outline and the own events of single locks stay. */
  replace(range: LoadedRange): void {
    for (const reader of this.#locks.readers) reader.clear();
    this.#rebuild(range);
  }

  /** Forgets everything that was loaded, for example after a restart of the server. */
  forget(): void {
    this.replace(EMPTY_RANGE);
    this.outline = null;
    this.own.clear();
    this.from = null;
  }

  /** The ranges that were not watched, in the order of their events. */
  blindSpots(): readonly BlindSpot[] {
    this.#blindSpots ??= blindSpotsFrom([...this.#edge.blind.all().map(beganBlind), ...this.#events]);
    return this.#blindSpots;
  }

  /**
   * The last place in the stream at or before an instant: the `seq` of an event, or of the event before a drop. Without
   * one, `stateSeq`.
   */
  #lastUntil(at: RedisTime): number {
    if (this.#place?.version === this.version && this.#place.at === at) return this.#place.seq;
    const later = this.#events.findIndex((event) => event.at > at);
    const before = later === -1 ? this.#events.at(-1) : this.#events[later - 1];
    const end = this.#events[later]?.seq ?? Number.POSITIVE_INFINITY;
    // if only one lock is loaded, a drop may be between two events whose neighbours are not loaded
    const drops = this.drops.filter((drop) => drop.at <= at && drop.afterSeq < end);
    const seq = Math.max(before?.seq ?? this.stateSeq, ...drops.map(({ afterSeq }) => afterSeq));
    this.#place = { version: this.version, at, seq };
    return seq;
  }

  #edges() {
    const { from, to, stateSeq, lastSeq, drops } = this;
    return { from, to, stateSeq, lastSeq, drops };
  }

  #range(from: RedisTime): LoadedRange {
    const { to, stateSeq, lastSeq, drops } = this;
    const [locks, blind] = [[...this.#edge.locks()], this.#edge.blind.all()];
    return { from, to, stateSeq, lastSeq, drops, locks, blind, events: this.#events };
  }

  #rebuild({ from, to, stateSeq, lastSeq, locks, blind, drops, events }: LoadedRange): void {
    Object.assign(this, { from, to, stateSeq, lastSeq, drops, joinAt: from });
    this.#edge = new PastWorld(blind);
    for (const lock of locks) this.#edge.add(lock);
    this.#begin(events);
  }

  /** Takes events from the left edge on. */
  #begin(events: readonly LockEvent[]): void {
    this.#events = [];
    this.#thinner = new RunThinner();
    const { stateSeq, onlyLock } = this;
    this.#locks.begin({ world: this.#edge, stateSeq, onlyLock }, this.drops);
    this.rebuilds++;
    for (const event of events) this.#take(event);
    for (const reader of this.#locks.readers) reader.beginAgain(new Set([...this.#locks.ids(), ...this.own.ids()]));
    this.#changed();
  }

  #take(event: LockEvent): void {
    if (this.onlyLock !== '' && event.lock !== this.onlyLock && !isOfSource(event)) return;
    this.#thinner.take(this.#events, event);
    if (event.groupSeqs) this.#locks.regroup(regroupIn(this.#events, event), event);
    this.#locks.take(event);
  }

  #changed(): void {
    this.version++;
    this.#blindSpots = null;
  }

  /** Makes room: drops the events farthest from the anchor, on both sides. */
  #dropFarthest(): void {
    const excess = this.#events.length - WINDOW_CAP;
    const { before, after } = this.countsAround(this.anchor ?? redisTime(Number.MAX_SAFE_INTEGER));
    const dropsBefore = Math.min(excess, Math.max(0, Math.ceil((before - after + excess) / 2)));
    const old = this.#events.slice(0, dropsBefore);
    const kept = this.#events.slice(dropsBefore, dropsBefore + WINDOW_CAP);
    if (dropsBefore < excess) {
      this.to = redisTime(kept.at(-1)?.at ?? this.from ?? 0);
      this.lastSeq = kept.at(-1)?.seq ?? this.stateSeq;
    }
    this.#edge.takeAll(old, this.drops);
    this.#edge.forgetFree(new Set(kept.map(lockIdOf)));
    this.drops = dropsBehind(this.drops, old);
    this.stateSeq = old.at(-1)?.seq ?? this.stateSeq;
    this.joinAt = redisTime(old.reduce<number>((newest, { at }) => Math.max(newest, at), this.joinAt));
    if (old.length > 0) this.from = redisTime(kept[0]?.at ?? this.joinAt);
    this.#begin(kept);
  }
}
