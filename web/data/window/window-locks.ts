import type { RedisTime } from '../../../shared/base/time.ts';
import { isOfSource, type LockEvent } from '../../../shared/events/event.ts';
import { regroupIn } from '../../../shared/events/groups/regrouped.ts';
import { RunThinner } from '../../../shared/spans/thin-runs.ts';
import { idOf, type LockState, lockIdOf } from '../../../shared/state/lock-state.ts';
import { type LockPart, LockReplay } from '../../../shared/state/replay/lock-replay.ts';
import { PastWorld } from '../../../shared/state/replay/past-world.ts';
import { beganBlind } from './blind-spots.ts';
import { type Drop, droppedIds, withDrops } from './drops.ts';

/** What a reader is called with. It derives something from the events of each lock, for example marks. */
export type WindowReader = {
  /** The range is about to be replaced by another one. */
  clear(): void;
  /** All events were taken again from the left edge. `ids`: every lock, whether its events have changed or not. */
  beginAgain(ids: Iterable<string>): void;
  /** Events of a lock beyond the window were read. */
  hasMore(id: string): void;
  /** A lock has a new event, or its events or drops were corrected. */
  hasNews(id: string): void;
};

type Entry = {
  readonly base: LockState | undefined;
  readonly events: LockEvent[];
  readonly thinner: RunThinner;
  /** The blind spot that was open at the left edge. */
  readonly blind: LockEvent | null;
  /** Created on first use. */
  replay: LockReplay | null;
};

/** Where the locks begin: their state after the event `stateSeq`. `onlyLock`: the name of the only lock; empty: all. */
type LeftEdge = { readonly world: PastWorld; readonly stateSeq: number; readonly onlyLock: string };

/** The events of a window by lock, and the state of each lock at any instant in it. */
export class WindowLocks {
  readonly readers: WindowReader[] = [];
  #entries = new Map<string, Entry>();
  #edge: LeftEdge = { world: new PastWorld(), stateSeq: 0, onlyLock: '' };
  #drops: readonly Drop[] = [];

  /** Starts again at a left edge. */
  begin(edge: LeftEdge, drops: readonly Drop[]): void {
    this.#entries = new Map();
    this.#edge = edge;
    this.#drops = drops;
    for (const lock of edge.world.locks()) this.#entry(idOf(lock), lock.source);
    for (const id of droppedIds(drops, edge.onlyLock)) this.#entry(id, id.slice(0, id.indexOf('/')));
  }

  /** Every lock with a state at the left edge, with an event, or with a drop. */
  ids(): IterableIterator<string> {
    return this.#entries.keys();
  }

  eventsOf(id: string): readonly LockEvent[] {
    return this.#entries.get(id)?.events ?? [];
  }

  partOf(id: string): LockPart {
    const { base, events } = this.#entries.get(id) ?? { base: undefined, events: [] };
    return { base, events };
  }

  /**
   * The lock's events in this window, with blind spots and drops added as events that end open holds and waits.
   * Undefined for an unknown lock.
   */
  brokenPartOf(id: string): LockPart | undefined {
    const entry = this.#entries.get(id);
    if (!entry) return undefined;
    const { base, events } = withDrops(entry, id, this.#drops);
    return { base, events: entry.blind ? [entry.blind, ...events] : events };
  }

  /**
   * A lock at an instant, as the server replays it; undefined if nothing was known about it. `seq`: the last place in
   * the stream at or before that instant.
   */
  lockAt(id: string, at: RedisTime, seq: number): LockState | undefined {
    const entry = this.#entries.get(id);
    if (!entry) return undefined;
    entry.replay ??= new LockReplay(id, entry, this.#edge.stateSeq, this.#drops);
    return entry.replay.at(at, seq);
  }

  take(event: LockEvent): void {
    if (isOfSource(event)) {
      // a failover is inside a blind spot and drawn with it; other events of a source have no lane
      if (event.type !== 'blind-spot.began' && event.type !== 'blind-spot.ended') return;
      for (const id of this.#entries.keys()) if (id.startsWith(`${event.source}/`)) this.#takeInto(id, event);
    } else this.#takeInto(lockIdOf(event), event);
  }

  /** Earlier events now belong to the group of `by`, or no longer do. */
  regroup(changed: readonly LockEvent[], by: LockEvent): void {
    for (const event of changed) {
      const entry = this.#entries.get(lockIdOf(event));
      if (!entry) continue;
      regroupIn(entry.events, by);
      this.#replayAgain(lockIdOf(event), entry);
    }
  }

  /** Replaces the drops. */
  drop(drops: readonly Drop[]): void {
    this.#drops = drops;
    for (const [id, entry] of this.#entries) this.#replayAgain(id, entry);
  }

  #entry(id: string, source: string): Entry {
    const known = this.#entries.get(id);
    if (known) return known;
    const { world } = this.#edge;
    const base = world.get(id);
    const spot = base && world.blind.all().find((each) => each.source === source);
    const blind = spot ? beganBlind(spot) : null;
    const entry = { base, events: [], thinner: new RunThinner(), blind, replay: null };
    this.#entries.set(id, entry);
    return entry;
  }

  #takeInto(id: string, event: LockEvent): void {
    const entry = this.#entry(id, event.source);
    entry.thinner.take(entry.events, event);
    for (const reader of this.readers) reader.hasNews(id);
  }

  #replayAgain(id: string, entry: Entry): void {
    entry.replay = null;
    for (const reader of this.readers) reader.hasNews(id);
  }
}
