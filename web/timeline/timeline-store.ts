import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import { currentCursor, followNow, standAt } from '../cursor/cursor.ts';
import type { LiveStore } from '../data/live-store.ts';
import { isOpenRecording } from '../data/open-recording.ts';
import { TimelineHistory } from './history.ts';
import type { GoneSince } from './orphaned.ts';
import type { Span } from './scale.ts';
import { FIRST_STATE, type TimelineState, withLocks } from './timeline-state.ts';
import { fitted, liveView } from './viewport.ts';

/** How long a lock must have been silent to be folded among the quiet ones. */
const QUIET_MICROS = 600_000_000;

/**
 * The timeline as an external store: what the reader chose, and the window of history it is about.
 * The picture reads it every frame; React renders only what it selects.
 */
export class TimelineStore {
  readonly history = new TimelineHistory();
  readonly live: LiveStore;
  /** Since when each client is known to be gone. */
  readonly goneSince = new Map<string, RedisTime>();
  #state: TimelineState = FIRST_STATE;
  #listeners = new Set<() => void>();
  #quietAt = 0;

  constructor(live: LiveStore) {
    this.live = live;
  }

  get = (): TimelineState => this.#state;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  set(part: Partial<TimelineState>): void {
    this.#state = { ...this.#state, ...part };
    for (const listener of this.#listeners) listener();
  }

  /** Tells everybody that the history has grown. */
  touch(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Redis's clock; the newest event while it is not known. */
  now(): RedisTime {
    return this.live.clock.at(Date.now()) ?? this.history.events.at(-1)?.at ?? redisTime(Date.now() * 1000);
  }

  isLive(): boolean {
    return currentCursor().mode === 'live';
  }

  /** What the canvas shows at this instant. */
  view(): Span {
    const { view, lengthMicros } = this.#state;
    return view !== null && !this.isLive() ? view : liveView(this.now(), lengthMicros);
  }

  /** The instant whose state is shown. */
  cursorAt(): RedisTime {
    const cursor = currentCursor();
    return cursor.mode === 'paused' ? cursor.at : this.now();
  }

  /** Everything there is, from the oldest event in memory to now. */
  extent(): Span {
    const now = this.now();
    const first = this.history.events[0]?.at ?? redisTime(now - this.#state.lengthMicros);
    return { from: first, to: redisTime(Math.max(now, first + 1_000_000)) };
  }

  /** Stops where it is: from now on nothing moves by itself. */
  pause(at?: RedisTime): void {
    const view = this.view();
    const wasLive = this.isLive();
    const stop = at ?? this.cursorAt();
    if (wasLive) this.set({ view, lengthMicros: view.to - view.from, pausedSeq: this.history.lastSeq });
    standAt(stop);
  }

  /** Shows a stretch, paused. */
  show(view: Span): void {
    this.pause();
    this.set({ view, lengthMicros: view.to - view.from });
  }

  /** Follows now; in an opened recording, which has no now, shows all of it from its end. */
  goLive = (): void => {
    const plain = { view: null, brush: null, zooms: [], selected: null, selectedLock: null, areLinesOpen: false };
    if (this.isRecording()) {
      const { from, to } = this.extent();
      const view = fitted(from, to, 0.02);
      standAt(this.now());
      this.set({ ...plain, view, lengthMicros: view.to - view.from, pausedSeq: this.history.lastSeq });
    } else {
      followNow();
      this.set({ ...plain, pausedSeq: 0 });
    }
    this.#quietAt = 0;
    this.noteLocks();
  };

  /** True where all there is stands in a file: nothing more comes. */
  isRecording(): boolean {
    return isOpenRecording(this.live.get().sources);
  }

  /** Takes in locks that are new; while live, those silent for long go among the quiet ones. */
  noteLocks(): void {
    const more = withLocks(this.#state, this.#knownLocks());
    const quiet = this.isLive() ? this.#quietLocks() : null;
    if (more || quiet) this.set({ ...more, ...(quiet ? { quiet } : {}) });
  }

  noteGone(gone: GoneSince): void {
    for (const [client, at] of gone) if (!this.goneSince.has(client)) this.goneSince.set(client, at);
  }

  #knownLocks(): string[] {
    const ids = [...this.history.lockIds()];
    if (this.#state.order.length > 0) return ids;
    // at first those where something happened last stand on top
    return ids.sort((a, b) => this.#lastAt(b) - this.#lastAt(a));
  }

  #quietLocks(): ReadonlySet<string> | null {
    const now = this.now();
    if (now - this.#quietAt < 5_000_000) return null;
    this.#quietAt = now;
    const quiet = new Set<string>();
    for (const id of this.history.lockIds()) if (now - this.#lastAt(id) > QUIET_MICROS) quiet.add(id);
    const isSame = quiet.size === this.#state.quiet.size && [...quiet].every((id) => this.#state.quiet.has(id));
    return isSame ? null : quiet;
  }

  #lastAt(id: string): number {
    return this.history.eventsOf(id).at(-1)?.at ?? 0;
  }
}
