import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { GoneSince } from '../../../shared/insights/renewals.ts';
import type { LoggedProblem } from '../../../shared/wire/insights/problem-log.ts';
import type { Lock } from '../../../shared/wire/locks/lock.ts';
import { lockView, UNKNOWN_PRESENCE } from '../../../shared/wire/locks/lock-view.ts';
import { timelineWindow } from '../../choices/window.ts';
import { currentCursor, followNow, pauseAt } from '../../cursor/cursor.ts';
import { type Letters, letterOf } from '../../data/live/letters.ts';
import type { LiveStore } from '../../data/live/live-store.ts';
import { isOpenRecording } from '../../data/live/open-recording.ts';
import type { BlindSpot } from '../../data/window/blind-spots.ts';
import { shownBlindSpots } from '../../data/window/blind-spots.ts';
import type { EventWindow } from '../../data/window/event-window.ts';
import type { Memory } from '../../data/window/memory.ts';
import type { Outline } from '../../data/window/outline.ts';
import type { TimeSpan } from '../../data/window/time-span.ts';
import { redisNow, windowOf } from '../../data/window/window-of.ts';
import { type UnknownRange, unknownRanges } from '../layout/unknown-ranges.ts';
import { AHEAD_SHARE, fitted, liveView, withinMemory } from '../layout/viewport.ts';
import { LockTracks } from '../model/lock-tracks.ts';
import { type ProblemTick, problemTicks } from '../model/problem-ticks.ts';
import { noteGone } from './gone-clients.ts';
import { unfoldLanes } from './lane-folds.ts';
import { LockPlaces } from './lock-places.ts';
import { FIRST_STATE, followed, type TimelineState, withStep } from './timeline-state.ts';

/** The most locks whose events are read whole, because their lanes are open. */
const MOST_READ_WHOLE = 8;
/**
 * The timeline as an external store: what the user chose, and how it shows the window of events.
 * The picture reads it every frame; a React component renders only when the part it selects changes.
 */
export class TimelineStore {
  readonly live: LiveStore;
  /** The events that this page has loaded. */
  readonly window: EventWindow;
  readonly tracks: LockTracks;
  /** Since when each client is known to be gone. */
  readonly goneSince = new Map<string, RedisTime>();
  /** Letters of demo clients, by holder. */
  givenLetters: Letters = new Map();
  /** The problems that the server has logged. */
  problems: readonly LoggedProblem[] = [];
  /** The width of the picture on screen, in pixels. */
  width = 0;
  /** Increases when lanes may change their places: when the first locks arrive, a link is opened or live mode begins. */
  arrangements = 0;
  #state: TimelineState = { ...FIRST_STATE, ...followed(timelineWindow.get()) };
  #listeners = new Set<() => void>();
  /** The ticks, kept because the picture asks for them in each frame. */
  #ticks: { problems: readonly LoggedProblem[]; onlyLock: string; all: readonly ProblemTick[] } = {
    ...{ problems: [], onlyLock: '', all: [] },
  };
  readonly #places = new LockPlaces(this);

  /** `window`: the window of the page, or a second one for a timeline that is not on screen. */
  constructor(live: LiveStore, window = windowOf(live)) {
    this.live = live;
    this.window = window;
    this.tracks = new LockTracks(this.window);
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

  /** Notifies every listener of a change. */
  touch(): void {
    for (const listener of this.#listeners) listener();
  }

  setMemory(memory: Memory | null): void {
    if (this.window.setMemory(memory)) this.touch();
  }

  now(): RedisTime {
    return redisNow(this.live);
  }

  /** Whether several locks are shown. The same letter is another thread at each of them. */
  hasSeveralLocks(): boolean {
    const { onlyLock, order } = this.#state;
    return onlyLock === '' && order.length > 1;
  }

  /**
   * The letter of a holder, or null. Letters of the demo are always shown, letters of other locks only while the
   * timeline has a single lock.
   */
  letterOf = (lockId: string, holder: string): string | null => {
    const ofLock = this.hasSeveralLocks() ? undefined : this.live.get().letters.get(lockId);
    return letterOf(this.givenLetters, ofLock, holder);
  };

  onlyLock(): string {
    return this.#state.onlyLock;
  }

  /** The live state was taken into the window. `isNew`: the window has changed. */
  onLiveState(isNew: boolean): void {
    noteGone(this, this.live.get().locks.values());
    this.#places.update();
    if (isNew) this.touch();
  }

  isLive(): boolean {
    return currentCursor().mode === 'live';
  }

  /** The range that the canvas shows now. */
  view(): TimeSpan {
    const { view, lengthMicros, followsAll } = this.#state;
    if (view !== null && !this.isLive()) return view;
    const { from, to } = this.extent();
    return liveView(this.now(), followsAll ? (to - from) * (1 + 2 * AHEAD_SHARE) : lengthMicros);
  }

  /** The instant whose state is shown. */
  cursorAt(): RedisTime {
    const cursor = currentCursor();
    return cursor.mode === 'paused' ? cursor.at : this.now();
  }

  /** The instant of the view that matters most: the cursor, or the middle if the cursor is outside. */
  anchor(): RedisTime {
    const { from, to } = this.view();
    const at = this.cursorAt();
    return at >= from && at <= to ? at : redisTime(Math.round((from + to) / 2));
  }

  /** From the oldest event in the server's memory to now, at least 1 s. */
  extent(): TimeSpan {
    const now = this.now();
    const first = this.window.memory?.oldestAt ?? this.window.from ?? redisTime(now - this.#state.lengthMicros);
    return { from: first, to: redisTime(Math.max(now, first + 1_000_000)) };
  }

  /** The ranges in which a source was not watched. Open ranges of sources that have ended are left out. */
  blindSpots(): readonly BlindSpot[] {
    return shownBlindSpots(this.window.blindSpots(), this.live.get().sources, this.outline()?.blind);
  }

  /** The parts of a view whose events cannot be shown. */
  unknownIn(view: TimeSpan): UnknownRange[] {
    const { memory, loading, from, to } = this.window;
    const loaded = from === null ? null : { from, to };
    return unknownRanges(view, { memory, loaded, now: this.now(), loading, outlined: this.outline() });
  }

  /** What is shown of the locks where no events are loaded. */
  outline(): Outline | null {
    const { outline } = this.window;
    return outline?.onlyLock === this.onlyLock() ? outline : null;
  }

  /** Every lock that has anything in the window or in the outline. */
  lockIds(): Set<string> {
    return new Set([...this.window.lockIds(), ...(this.outline()?.locks.keys() ?? [])]);
  }

  /** While an outline of all locks is shown: the first open locks and the lock of the selection. Otherwise none. */
  ownLocks(): readonly string[] {
    const { open, quiet, order, onlyLock, selectedLock } = this.#state;
    if (onlyLock !== '' || this.outline() === null) return [];
    const shown = order.filter((id) => open.has(id) && !quiet.has(id)).slice(0, MOST_READ_WHOLE);
    return selectedLock === null ? shown : [...new Set([selectedLock, ...shown])];
  }

  /** Whether all events of a lock are known in the part of a view that memory has. */
  isWhole(id: string, view: TimeSpan): boolean {
    const { from, to } = this.extent();
    const span = { from: redisTime(Math.max(view.from, from)), to: redisTime(Math.min(view.to, to)) };
    return this.window.isWhole(id, span);
  }

  /** The problems of the shown locks, in order of time. */
  ticks(): readonly ProblemTick[] {
    const [problems, onlyLock] = [this.problems, this.onlyLock()];
    if (this.#ticks.problems !== problems || this.#ticks.onlyLock !== onlyLock)
      this.#ticks = { problems, onlyLock, all: problemTicks(problems, onlyLock) };
    return this.#ticks.all;
  }

  columns(): number {
    return this.width;
  }

  /** The state of a lock at the cursor; while live, the state from the server. */
  lockAtCursor(id: string): Lock | undefined {
    if (this.isLive()) return this.live.get().locks.get(id);
    const at = this.cursorAt();
    const state = this.window.lockAt(id, at);
    return state && lockView(state, at, UNKNOWN_PRESENCE);
  }

  /** Pauses the timeline at `at`, or where the cursor is. The view no longer moves by itself. */
  pause(at?: RedisTime): void {
    const view = this.view();
    const wasLive = this.isLive();
    const stop = at ?? this.cursorAt();
    if (wasLive) this.set({ view, lengthMicros: view.to - view.from, pausedSeq: this.live.get().seq });
    pauseAt(stop);
  }

  /** Shows a range and pauses. The range is limited to what is in memory and a little space around it. */
  show(wanted: TimeSpan): void {
    this.pause();
    const view = withinMemory(wanted, this.extent());
    this.set({ view, lengthMicros: view.to - view.from, followsAll: false });
    unfoldLanes(this);
  }

  /** Follows now. A recording has no now: it is shown whole, with the cursor at its end. */
  goLive = (): void => {
    const { view: before, undo, zooms } = this.#state;
    const plain = {
      ...{ view: null, brush: null, zooms: [], selected: null, selectedLock: null, noLink: null, areLinesOpen: false },
      undo: before === null || this.isLive() ? undo : withStep(undo, { view: before, zooms }),
    };
    if (this.isRecording()) {
      const view = this.whole();
      pauseAt(this.now());
      this.set({ ...plain, view, lengthMicros: view.to - view.from, pausedSeq: this.live.get().seq });
    } else {
      followNow();
      this.set({ ...plain, pausedSeq: 0 });
    }
    this.arrange();
  };

  /** The view of everything in memory. */
  whole(): TimeSpan {
    const { from, to } = this.extent();
    return fitted(from, to, 0.02);
  }

  /** True if a recording is open: no further events will arrive. */
  isRecording(): boolean {
    return isOpenRecording(this.live.get().sources);
  }

  /** Sorts all locks again, by attention at the cursor. */
  arrange(): void {
    this.arrangements++;
    this.#places.arrange();
  }

  noteGone(gone: GoneSince): void {
    for (const [client, at] of gone) if (!this.goneSince.has(client)) this.goneSince.set(client, at);
  }
}
