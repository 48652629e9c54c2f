import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { isOfClient, isOfSource, type LockEvent } from '../../../shared/events/event.ts';
import { regroupIn } from '../../../shared/events/groups/regrouped.ts';
import { RunThinner } from '../../../shared/spans/thin-runs.ts';
import { type LockState, lockIdOf } from '../../../shared/state/lock-state.ts';
import { beganBlind, blindSpotsFrom } from '../model/blind-spots.ts';
import { type Drop, droppedIds, dropsBehind, joinedDrops, withDrops } from '../model/drops.ts';
import { LeftEdge } from '../model/left-edge.ts';
import type { LockPart } from '../model/lock-part.ts';
import { LockTracks } from '../model/lock-tracks.ts';
import type { BlindSpot, Track } from '../model/marks.ts';
import { firstFrom } from '../model/search.ts';
import { EMPTY_STRETCH, joined, type Stretch } from '../model/stretch.ts';

/** Events kept for the timeline; beyond that, those farthest from the anchor are dropped. */
export const HISTORY_CAP = 50_000;

/** Returned by `append` if events are missing before the ones it was given. */
export type Hole = { readonly after: number; readonly before: number };

type Entry = { base: LockState | undefined; events: LockEvent[]; thinner: RunThinner; blind: LockEvent | null };

/**
 * The stretch of history that the timeline shows: the state of every lock at its left edge, and all events in it, in
 * order of `seq`. While `to` is null it follows live events. The inner events of a dense run are left out: a hot loop
 * has the same mark without them, and there is room for more of the other events.
 *
 *   memory   |······························································| now
 *   history               |state ==== events ==== ► to                      |
 */
export class TimelineHistory {
  readonly tracks = new LockTracks((id) => this.#partForMarks(id));
  #events: LockEvent[] = [];
  #thinner = new RunThinner();
  #locks = new Map<string, Entry>();
  #edge = new LeftEdge();
  #blindSpots: BlindSpot[] | null = null;
  /** When locks were dropped from the server's memory. */
  drops: readonly Drop[] = [];
  /** Left edge; null until something has been read. */
  from: RedisTime | null = null;
  /** Right edge; null: it follows live events. */
  to: RedisTime | null = null;
  /** The state at the left edge is the one after this `seq`; the newest event up to there is dated `joinAt`. */
  stateSeq = 0;
  joinAt = redisTime(0);
  /** Up to this `seq` no event is missing. */
  lastSeq = 0;
  /** Name of the only lock whose events are taken; empty: all locks. */
  onlyLock = '';
  /** The events farthest from here are dropped first; null: farthest from now. */
  anchor: RedisTime | null = null;
  /** Increases with every change. */
  version = 0;
  /** Increases when all events are read again, for example with an older stretch in front. */
  beginnings = 0;

  get events(): readonly LockEvent[] {
    return this.#events;
  }

  /** True while live events are taken. */
  get isFollowing(): boolean {
    return this.from !== null && this.to === null;
  }

  /** Every lock with a state at the left edge or with an event. */
  lockIds(): IterableIterator<string> {
    return this.#locks.keys();
  }

  eventsOf(id: string): readonly LockEvent[] {
    return this.#locks.get(id)?.events ?? [];
  }

  partOf(id: string): LockPart {
    const { base, events } = this.#locks.get(id) ?? { base: undefined, events: [] };
    return { base, events };
  }

  /** Adds drops; known ones are ignored. */
  drop(drops: readonly Drop[]): void {
    const all = joinedDrops(this.drops, drops);
    if (all === this.drops) return;
    this.drops = all;
    for (const id of this.#locks.keys()) this.tracks.hasNews(id);
    this.#changed();
  }

  /** The time of a lock's last event in this history, or of its last change before; 0 if there is neither. */
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
   * Adds the events that are newer than all it has. If some are missing before them, adds none and returns the hole.
   * From `wholeFrom` on no event is missing, except the inner ones of dense runs.
   */
  append(events: readonly LockEvent[], wholeFrom: number): Hole | null {
    if (!this.isFollowing) return null;
    const first = firstFrom(events, this.lastSeq + 1, (event) => event.seq);
    if (!events[first]) return null;
    if (wholeFrom > this.lastSeq + 1) return { after: this.lastSeq, before: wholeFrom };
    for (let i = first; i < events.length; i++) this.#take(events[i] as LockEvent); // i is below the length
    this.lastSeq = events.at(-1)?.seq ?? this.lastSeq;
    this.#changed();
    if (this.#events.length > HISTORY_CAP * 1.1) this.#letGo();
    return null;
  }

  /** Adds a stretch that ends where this one begins. */
  prepend(left: Stretch): void {
    const { from } = this;
    if (from === null) return this.replace(left);
    this.#rebuild(joined(left, this.#stretch(from)));
    if (this.#events.length > HISTORY_CAP) this.#letGo();
  }

  /** Adds a stretch that begins where this one ends. */
  extend(right: Stretch): void {
    const { from } = this;
    if (from === null) return this.replace(right);
    this.#rebuild(joined(this.#stretch(from), right));
    if (this.#events.length > HISTORY_CAP) this.#letGo();
  }

  /** Replaces everything: for another stretch of time, or after a restart of the server. */
  replace(stretch: Stretch): void {
    this.tracks.clear();
    this.#rebuild(stretch);
  }

  /** Forgets everything, for example after a restart of the server. */
  forget(): void {
    this.replace(EMPTY_STRETCH);
    this.from = null;
  }

  /** One lock's marks; the same object until it has a new event. */
  track(id: string, localNow: number): Track | null {
    return this.tracks.get(id, localNow);
  }

  /** The stretches that were not watched, in order. */
  blindSpots(): readonly BlindSpot[] {
    this.#blindSpots ??= blindSpotsFrom([...this.#edge.blind().map(beganBlind), ...this.#events]);
    return this.#blindSpots;
  }

  #partForMarks(id: string): LockPart | undefined {
    const entry = this.#locks.get(id);
    if (!entry) return undefined;
    const { base, events } = withDrops(entry, id, this.drops);
    return { base, events: entry.blind ? [entry.blind, ...events] : events };
  }

  #stretch(from: RedisTime): Stretch {
    const { to, stateSeq, lastSeq, drops } = this;
    return { from, to, stateSeq, lastSeq, drops, ...this.#edge.all(), events: this.#events };
  }

  #rebuild({ from, to, stateSeq, lastSeq, locks, blind, drops, events }: Stretch): void {
    Object.assign(this, { from, to, stateSeq, lastSeq, drops, joinAt: from });
    this.#edge = new LeftEdge(locks, blind);
    this.#begin(events);
  }

  /** Takes events from the left edge on. Old tracks are kept until they are derived again. */
  #begin(events: readonly LockEvent[]): void {
    this.#events = [];
    this.#thinner = new RunThinner();
    this.#locks = new Map();
    this.beginnings++;
    for (const lock of this.#edge.locks()) this.#entry(lockIdOf({ ...lock, lock: lock.name }), lock.source);
    for (const id of droppedIds(this.drops, this.onlyLock)) this.#entry(id, id.slice(0, id.indexOf('/')));
    for (const event of events) this.#take(event);
    this.tracks.beginAnew(this.#locks.keys());
    this.#changed();
  }

  #entry(id: string, source: string): Entry {
    const known = this.#locks.get(id);
    if (known) return known;
    const [spot, base] = [this.#edge.blindSpotOf(source), this.#edge.get(id)];
    const entry = { base, events: [], thinner: new RunThinner(), blind: spot && base ? beganBlind(spot) : null };
    this.#locks.set(id, entry);
    return entry;
  }

  #take(event: LockEvent): void {
    if (this.onlyLock !== '' && event.lock !== this.onlyLock && !isOfSource(event)) return;
    this.#thinner.take(this.#events, event);
    if (event.groupSeqs) this.#regroup(event);
    if (isOfSource(event)) {
      // a failover is inside a blind spot and drawn with it; client events have no lane
      if (event.type === 'failover' || isOfClient(event)) return;
      for (const id of this.#locks.keys()) if (id.startsWith(`${event.source}/`)) this.#takeInto(id, event);
    } else this.#takeInto(lockIdOf(event), event);
  }

  #takeInto(id: string, event: LockEvent): void {
    const entry = this.#entry(id, event.source);
    entry.thinner.take(entry.events, event);
    this.tracks.hasNews(id);
  }

  /** Earlier events now belong to a group, or no longer do. */
  #regroup(by: LockEvent): void {
    for (const event of regroupIn(this.#events, by)) {
      const entry = this.#locks.get(lockIdOf(event));
      if (!entry) continue;
      regroupIn(entry.events, by);
      this.tracks.hasNews(lockIdOf(event));
    }
  }

  #changed(): void {
    this.version++;
    this.#blindSpots = null;
  }

  /** Makes room: drops the events farthest from the anchor, on both sides. */
  #letGo(): void {
    const spare = this.#events.length - HISTORY_CAP;
    const { before, after } = this.countsAround(this.anchor ?? redisTime(Number.MAX_SAFE_INTEGER));
    const ofOld = Math.min(spare, Math.max(0, Math.ceil((before - after + spare) / 2)));
    const old = this.#events.slice(0, ofOld);
    const kept = this.#events.slice(ofOld, ofOld + HISTORY_CAP);
    if (ofOld < spare) {
      this.to = redisTime(kept.at(-1)?.at ?? this.from ?? 0);
      this.lastSeq = kept.at(-1)?.seq ?? this.stateSeq;
    }
    this.#edge.moveBehind(old, new Set(kept.map(lockIdOf)), this.drops);
    this.drops = dropsBehind(this.drops, old);
    this.stateSeq = old.at(-1)?.seq ?? this.stateSeq;
    this.joinAt = redisTime(old.reduce<number>((newest, { at }) => Math.max(newest, at), this.joinAt));
    if (old.length > 0) this.from = redisTime(kept[0]?.at ?? this.joinAt);
    this.#begin(kept);
  }
}
