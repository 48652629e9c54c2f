import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { Lock } from '../../../shared/wire/lock.ts';
import { lockView, UNKNOWN_PRESENCE } from '../../../shared/wire/lock-view.ts';
import { currentCursor, followNow, standAt } from '../../cursor/cursor.ts';
import type { LiveStore } from '../../data/live-store.ts';
import { isOpenRecording } from '../../data/open-recording.ts';
import { TimelineHistory } from '../history/history.ts';
import type { Memory } from '../history/window-request.ts';
import type { Loading } from '../layout/loading.ts';
import { isInView } from '../layout/quiet.ts';
import type { Span } from '../layout/scale.ts';
import { type UnknownStretch, unknownStretches } from '../layout/unknown-stretches.ts';
import { fitted, liveView, withinMemory } from '../layout/viewport.ts';
import { shownBlindSpots } from '../model/blind-spots.ts';
import { partAt } from '../model/drops.ts';
import type { BlindSpot } from '../model/marks.ts';
import type { GoneSince } from '../model/orphaned.ts';
import { inOrderOfAttention, isWanted, stateAt, withNewLocks } from './lane-order.ts';
import { FIRST_STATE, openedFirst, type TimelineState } from './timeline-state.ts';

/** How long a lock must have been silent to be folded among the quiet ones while live. */
const QUIET_MICROS = 600_000_000;
/** More locks are not remembered with their places once nothing is known of them. */
const MOST_ORDERED = 5000;

/**
 * The timeline as an external store: what the reader chose, and the window of history it is about.
 * The picture reads it every frame; React renders only what it selects.
 */
export class TimelineStore {
  readonly history = new TimelineHistory();
  readonly live: LiveStore;
  /** Since when each client is known to be gone. */
  readonly goneSince = new Map<string, RedisTime>();
  /** What the server remembers; null before it was asked, and while it remembers nothing. */
  memory: Memory | null = null;
  loading: Loading | null = null;
  /** Rises when lanes may change their places: when a link is opened or live begins. */
  arrangements = 0;
  #state: TimelineState = FIRST_STATE;
  #listeners = new Set<() => void>();
  #quietAt = 0;
  /** Locks that had their place given as ones that somebody waits for. */
  #wanted = new Set<string>();

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
    this.touch();
  }

  /** Tells everybody that something has changed. */
  touch(): void {
    for (const listener of this.#listeners) listener();
  }

  setMemory(memory: Memory | null): void {
    if (memory?.oldestAt === this.memory?.oldestAt && memory?.hasDropped === this.memory?.hasDropped) return;
    this.memory = memory;
    this.touch();
  }

  setLoading(loading: Loading | null): void {
    if (loading === this.loading) return;
    this.loading = loading;
    this.touch();
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

  /** The instant of a view that matters most: the cursor, or the middle where that is out of sight. */
  anchor(): RedisTime {
    const { from, to } = this.view();
    const at = this.cursorAt();
    return at >= from && at <= to ? at : redisTime(Math.round((from + to) / 2));
  }

  /** Everything there is, from the oldest event that the server remembers to now. */
  extent(): Span {
    const now = this.now();
    const first = this.memory?.oldestAt ?? this.history.from ?? redisTime(now - this.#state.lengthMicros);
    return { from: first, to: redisTime(Math.max(now, first + 1_000_000)) };
  }

  /** Stretches nobody watched. */
  blindSpots(): readonly BlindSpot[] {
    return shownBlindSpots(this.history.blindSpots(), this.live.get().sources);
  }

  /** The parts of a view of which nothing is shown, although somebody watched. */
  unknownIn(view: Span): UnknownStretch[] {
    const { memory, loading, history } = this;
    const loaded = history.from === null ? null : { from: history.from, to: history.to };
    return unknownStretches(view, { memory, loaded, now: this.now(), loading });
  }

  /** One lock as it was at the cursor; while live, as the server tells it. */
  lockAtCursor(id: string): Lock | undefined {
    if (this.isLive()) return this.live.get().locks.get(id);
    const at = this.cursorAt();
    const state = stateAt(partAt(this.history, id, at), at);
    return state && lockView(state, at, UNKNOWN_PRESENCE);
  }

  /** Stops where it is: from now on nothing moves by itself. */
  pause(at?: RedisTime): void {
    const view = this.view();
    const wasLive = this.isLive();
    const stop = at ?? this.cursorAt();
    if (wasLive) this.set({ view, lengthMicros: view.to - view.from, pausedSeq: this.live.get().seq });
    standAt(stop);
  }

  /** Shows a stretch, paused; no more than is remembered, and a little around it. */
  show(wanted: Span): void {
    this.pause();
    const view = withinMemory(wanted, this.extent());
    this.set({ view, lengthMicros: view.to - view.from });
  }

  /** Follows now; in an opened recording, which has no now, shows all of it from its end. */
  goLive = (): void => {
    const plain = { view: null, brush: null, zooms: [], selected: null, selectedLock: null, areLinesOpen: false };
    if (this.isRecording()) {
      const { from, to } = this.extent();
      const view = fitted(from, to, 0.02);
      standAt(this.now());
      this.set({ ...plain, view, lengthMicros: view.to - view.from, pausedSeq: this.live.get().seq });
    } else {
      followNow();
      this.set({ ...plain, pausedSeq: 0 });
    }
    this.#quietAt = 0;
    this.arrange();
  };

  /** True where all there is stands in a file: nothing more comes. */
  isRecording(): boolean {
    return isOpenRecording(this.live.get().sources);
  }

  /** Gives every lock its place anew: in order of attention at the cursor. */
  arrange(): void {
    const locks = [...this.history.lockIds()].map((id) => ({ id, lock: this.lockAtCursor(id) }));
    this.arrangements++;
    this.#wanted = new Set(locks.filter(({ lock }) => isWanted(lock)).map(({ id }) => id));
    const order = inOrderOfAttention(locks);
    this.set({ order, ...openedFirst(this.#state, order) });
    this.foldQuiet();
  }

  /** Takes in locks that are new; while live, those silent for long go among the quiet ones. */
  noteLocks(): void {
    const known = new Set(this.#state.order);
    const ids = [...this.history.lockIds()].filter((id) => !known.has(id));
    if (ids.length > 0 && known.size === 0) return this.arrange();
    if (ids.length > 0) this.#join(ids);
    if (!this.isLive()) this.#unfold();
    else if (this.now() - this.#quietAt > 5_000_000) this.foldQuiet();
  }

  /** Folds locks of which nothing is in the view; while live, those of which nothing was heard for long. */
  foldQuiet(): void {
    this.#quietAt = this.now();
    const quiet = new Set(this.#state.order.filter((id) => this.#isQuiet(id)));
    const isSame = quiet.size === this.#state.quiet.size && [...quiet].every((id) => this.#state.quiet.has(id));
    if (!isSame) this.set({ quiet });
  }

  noteGone(gone: GoneSince): void {
    for (const [client, at] of gone) if (!this.goneSince.has(client)) this.goneSince.set(client, at);
  }

  #join(ids: readonly string[]): void {
    const fresh = ids.map((id) => ({ id, lock: this.lockAtCursor(id) }));
    let order = withNewLocks(this.#state.order, this.#wanted, fresh);
    for (const { id, lock } of fresh) if (isWanted(lock)) this.#wanted.add(id);
    if (order.length > MOST_ORDERED) {
      const still = new Set(this.history.lockIds());
      order = order.filter((id) => still.has(id));
    }
    this.set({ order, ...openedFirst(this.#state, order) });
  }

  /** What has come into the view is no longer quiet. */
  #unfold(): void {
    const quiet = new Set([...this.#state.quiet].filter((id) => this.#isQuiet(id)));
    if (quiet.size < this.#state.quiet.size) this.set({ quiet });
  }

  #isQuiet(id: string): boolean {
    if (!this.isLive()) return !isInView(this.history, id, this.view(), this.now());
    const lock = this.live.get().locks.get(id);
    const isBusy = lock !== undefined && (lock.held || lock.waiters.length > 0);
    return !isBusy && this.now() - this.history.lastAt(id) > QUIET_MICROS;
  }
}
