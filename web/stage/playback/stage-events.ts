import type { LockEvent } from '../../../shared/events/event.ts';
import type { LiveStore } from '../../data/live/live-store.ts';
import type { EventWindow } from '../../data/window/event-window.ts';
import type { Viewer } from '../../data/window/viewer.ts';
import { WindowFeed } from '../../data/window/window-feed.ts';
import { redisNow, windowOf } from '../../data/window/window-of.ts';
import { liveView } from '../../timeline/layout/viewport.ts';
import { lockOfId, type StageLock } from '../script/run.ts';

/** How much of a run is read when the stage is opened late. */
const LONGEST_RUN_MICROS = 900_000_000;

/** The events of the stage's locks, selected from the window of the page. */
export class StageEvents {
  readonly #live: LiveStore;
  readonly #viewer: Viewer;
  #feed: WindowFeed | null = null;
  #version = -1;
  #events: readonly LockEvent[] = [];

  constructor(live: LiveStore) {
    this.#live = live;
    this.#viewer = {
      view: () => liveView(redisNow(live), LONGEST_RUN_MICROS),
      anchor: () => redisNow(live),
      isLive: () => true,
      onlyLock: () => '',
      subscribe: () => () => undefined,
      onLiveState: () => undefined,
      touch: () => undefined,
    };
  }

  /**
   * Reads the events of the last 15 minutes into the window, and follows live events; returns the function that stops.
   */
  read(): () => void {
    const feed = new WindowFeed(this.#live, this.#viewer);
    this.#feed = feed;
    this.#version = -1;
    return () => feed.end();
  }

  /** True if the window has all events of the last 15 minutes that it can have. */
  get isComplete(): boolean {
    return this.#feed?.isSettled === true;
  }

  /** The version of the window that `of` last read; -1 if `of` has not read it since the last `read`. */
  get version(): number {
    return this.#version;
  }

  /** Whether `of` may return other events than the last time. */
  get haveChanged(): boolean {
    return this.#version !== windowOf(this.#live).version && this.isComplete;
  }

  /** The events of these locks. Until the window has all of them, the result of the last call. */
  of(locks: readonly StageLock[]): readonly LockEvent[] {
    if (this.isComplete) {
      this.#version = windowOf(this.#live).version;
      this.#events = eventsOf(windowOf(this.#live), locks);
    }
    return this.#events;
  }
}

/**
 * The events of these locks, in order of `seq`. If they are on several servers, in order of time: the demo's servers
 * run on one machine and have the same clock. A lock without a source is the first one found with its name.
 */
function eventsOf(window: EventWindow, locks: readonly StageLock[]): readonly LockEvent[] {
  const ids = [...window.lockIds()];
  const found = locks.flatMap((lock) => ids.find((id) => lockOfId({ locks: [lock] }, id) !== undefined) ?? []);
  const [only] = found;
  if (only === undefined) return [];
  if (found.length === 1) return window.eventsOf(only);
  const bySeq = new Map(found.flatMap((id) => window.eventsOf(id).map((event) => [event.seq, event])));
  const hasServers = new Set(locks.map(({ source }) => source)).size > 1;
  return [...bySeq.values()].sort((a, b) => (hasServers ? a.at - b.at || a.seq - b.seq : a.seq - b.seq));
}
