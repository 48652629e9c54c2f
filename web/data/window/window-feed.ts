import { plusMillis, type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { LiveStore } from '../live/live-store.ts';
import { LIVE_PACE, pacedBy } from '../live/paced.ts';
import type { EventWindow } from './event-window.ts';
import { DropFollower } from './follow-drops.ts';
import { type LoadPlan, loadPlan, uncrowded } from './load-plan.ts';
import type { Loading, Memory } from './memory.ts';
import { OutlineFeed } from './outline-feed.ts';
import { OwnFeed } from './own-feed.ts';
import { readRange } from './read-range.ts';
import type { TimeSpan } from './time-span.ts';
import type { Viewer } from './viewer.ts';
import { redisNow, windowOf } from './window-of.ts';
import { ANSWER_MS, readEvents, readNearest } from './window-request.ts';

export type FeedStatus = 'loading' | 'ready' | 'failed';

/** A view is read after it has not moved for this long. */
const REST_MS = 120;
/** The pause after a failure. */
const AGAIN_MS = 2000;
/** A hole of more events is not filled; the window is read again instead. */
const WIDEST_HOLE = 20_000;
const HOLE_PAGE = 5000;

type Target = { readonly view: TimeSpan; readonly anchor: RedisTime };
type Reading = { readonly plan: LoadPlan; readonly ending: AbortController; readonly done: Promise<void> };

/**
 * Keeps the window in step with a view. When the view stops moving, it reads what is missing from the server. If the
 * view moves elsewhere, it aborts the request. Live events are appended.
 */
export class WindowFeed {
  readonly #window: EventWindow;
  readonly #live: LiveStore;
  readonly #viewer: Viewer;
  readonly #onStatus: (status: FeedStatus) => void;
  readonly #stops: (() => void)[];
  readonly #drops: DropFollower;
  readonly #outline: OutlineFeed;
  readonly #own: OwnFeed;
  #reading: Reading | null = null;
  #isFilling = false;
  #isEnded = false;
  #timer = 0;
  /** The view that `reach` reads for; null: the view on screen. */
  #target: Target | null = null;
  /** Key of the state after the last read. The same read is not repeated: it would change nothing. */
  #lastReadKey = '';

  /** `window`: the window of the page, or a second one for something that is not on screen. */
  constructor(
    live: LiveStore,
    viewer: Viewer,
    onStatus: (status: FeedStatus) => void = () => undefined,
    window = windowOf(live),
  ) {
    this.#window = window;
    this.#live = live;
    this.#viewer = viewer;
    this.#onStatus = onStatus;
    this.#drops = new DropFollower(live, viewer, this.#window);
    this.#outline = new OutlineFeed(
      this.#window,
      viewer,
      () => redisNow(live),
      () => this.#readIfNeeded(),
    );
    this.#own = new OwnFeed(this.#window, viewer, () => redisNow(live));
    this.#stops = [pacedBy(live, LIVE_PACE).subscribe(() => this.#take()), viewer.subscribe(() => this.#lookSoon())];
    this.#take();
    this.#readIfNeeded();
    if (this.isSettled) onStatus('ready');
  }

  end(): void {
    this.#isEnded = true;
    for (const stop of this.#stops) stop();
    window.clearTimeout(this.#timer);
    this.#reading?.ending.abort();
    this.#outline.end();
    this.#own.end();
    this.#setLoading(null);
  }

  /** True if the window has everything it can have for the view. */
  get isSettled(): boolean {
    if (this.#reading || this.#isFilling || this.#window.from === null) return false;
    const plan = this.#plan();
    return plan === null || this.#keyOf(plan) === this.#lastReadKey;
  }

  /**
   * Reads what a view needs before it is shown: around the anchor, or the whole view if `isWhole`. Gives up after four
   * reads.
   */
  async reach(view: TimeSpan, anchor: RedisTime, isWhole: boolean): Promise<void> {
    this.#target = { view, anchor };
    this.#lastReadKey = '';
    try {
      for (let round = 0; round < 4 && !this.#isEnded; round++) {
        if (this.#reading && !this.#isStillWanted(this.#reading.plan)) this.#reading.ending.abort();
        if (!isWhole && this.#covers(anchor)) return;
        if (!this.#reading) this.#readIfNeeded();
        if (!this.#reading) return;
        await this.#reading.done;
      }
    } finally {
      this.#target = null;
    }
  }

  /** The times of the nearest events before and after a view without events; null if no event is near. */
  around(view: TimeSpan): ReturnType<typeof readNearest> {
    const { events, stateSeq, onlyLock } = this.#window;
    const last = events.findLast(({ at }) => at < view.from)?.seq ?? stateSeq;
    return readNearest(last, onlyLock, AbortSignal.timeout(ANSWER_MS));
  }

  /** Whether the window has this instant, for the lock that the viewer shows or for all locks. */
  #covers(at: RedisTime): boolean {
    const { from, to, onlyLock } = this.#window;
    return onlyLock === this.#viewer.onlyLock() && from !== null && from <= at && (to === null || at <= to);
  }

  #lookSoon(): void {
    if (this.#isEnded) return;
    this.#outline.readIfNeeded();
    if (this.#reading && !this.#isStillWanted(this.#reading.plan)) this.#reading.ending.abort();
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#readIfNeeded(), REST_MS);
  }

  /** Starts to read what is missing for the view, if anything is. */
  #readIfNeeded(): void {
    if (this.#isEnded || this.#reading) return;
    this.#outline.readIfNeeded();
    // how much is read depends on how many events the view has
    if (this.#outline.isReading && !this.#target) return;
    this.#own.readIfNeeded();
    const plan = this.#plan();
    if (!plan || this.#keyOf(plan) === this.#lastReadKey) return;
    const ending = new AbortController();
    const done = this.#read(plan, ending.signal).finally(() => {
      this.#reading = null;
      this.#setLoading(null);
      this.#take();
      this.#lookSoon();
    });
    this.#reading = { plan, ending, done };
  }

  #wanted(): Target {
    return this.#target ?? { view: this.#viewer.view(), anchor: this.#viewer.anchor() };
  }

  #plan(): LoadPlan | null {
    const loaded = this.#window;
    const { memory } = loaded;
    const { view: wanted, anchor } = this.#wanted();
    const view = this.#target ? wanted : uncrowded(wanted, anchor, loaded.outline);
    const now = redisNow(this.#live);
    const isOther = loaded.onlyLock !== this.#viewer.onlyLock();
    const whole = { from: memory?.oldestAt ?? redisTime(Math.min(view.from, now)), to: now };
    loaded.anchor = this.#viewer.isLive() && !this.#target ? null : anchor;
    if (loaded.from === null || isOther) return loadPlan(view, anchor, whole, null);
    const to = loaded.to ?? plusMillis(now, ANSWER_MS);
    return loadPlan(view, anchor, whole, { from: loaded.from, to, counts: loaded.countsAround(anchor) });
  }

  #keyOf({ kind }: LoadPlan): string {
    const { from, to, onlyLock } = this.#window;
    const { view } = this.#wanted();
    const place = this.#viewer.isLive() ? 'live' : `${view.from} ${view.to}`;
    return `${kind} ${from} ${to} ${onlyLock} ${place}`;
  }

  #isStillWanted(plan: LoadPlan): boolean {
    const { view } = this.#wanted();
    return view.from <= plan.to && view.to >= plan.from;
  }

  async #read(plan: LoadPlan, signal: AbortSignal): Promise<void> {
    const [loaded, live] = [this.#window, this.#live];
    const lock = this.#viewer.onlyLock();
    const { snapshotCount } = live.get();
    const { from } = plan;
    const now = redisNow(this.#live);
    const isOpen = plan.kind !== 'left' && plan.to >= plusMillis(now, -1000);
    const to = plan.kind === 'left' ? redisTime(Math.max(plan.to, loaded.joinAt)) : isOpen ? null : plan.to;
    const anchor = plan.kind === 'left' ? plan.to : plan.kind === 'right' ? plan.from : this.#wanted().anchor;
    this.#setLoading({ from, to: plan.to, reached: from });
    try {
      const range = await readRange(
        { from, to, now, anchor, lock },
        {
          memory: (memory) => this.#setMemory(memory),
          reached: (reached) => this.#setLoading({ from, to: plan.to, reached }),
        },
        AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
      );
      if (signal.aborted || lock !== this.#viewer.onlyLock()) return;
      loaded.snapshotCount = snapshotCount;
      live.take({ type: 'history-read', events: range.events, locks: range.locks });
      this.#put(plan, range, lock);
      this.#lastReadKey = this.#keyOf(plan);
      this.#onStatus('ready');
    } catch {
      if (signal.aborted) return;
      this.#onStatus(loaded.from === null ? 'failed' : 'ready');
      this.#setLoading({ from, to: plan.to, reached: 'failed' });
      await new Promise((resolve) => window.setTimeout(resolve, AGAIN_MS));
    }
  }

  #put(plan: LoadPlan, range: Awaited<ReturnType<typeof readRange>>, lock: string): void {
    const loaded = this.#window;
    if (plan.kind === 'left') {
      // a range that does not reach the loaded one would leave a hole
      if (range.to === null || range.to >= plan.to) loaded.prepend(range);
    } else if (plan.kind === 'right') loaded.extend(range);
    else {
      loaded.onlyLock = lock;
      loaded.replace(range);
    }
    this.#viewer.onLiveState(true);
  }

  /** Appends live events as they arrive, but at most every 45 ms, because the picture is drawn each time. */
  #take(): void {
    const [loaded, live] = [this.#window, this.#live];
    if (this.#isEnded || loaded.from === null) return;
    const state = live.get();
    if (state.snapshotCount !== loaded.snapshotCount) {
      loaded.snapshotCount = state.snapshotCount;
      if (state.seq < loaded.lastSeq) return this.#startAgain();
    }
    const { version } = loaded;
    const hole = loaded.append(state.events, state.wholeFrom);
    if (hole) void this.#fill(hole.after);
    this.#drops.readIfNeeded();
    this.#viewer.onLiveState(loaded.version !== version);
  }

  #setMemory(memory: Memory | null): void {
    if (this.#window.setMemory(memory)) this.#viewer.touch();
  }

  #setLoading(loading: Loading | null): void {
    if (loading === this.#window.loading) return;
    this.#window.loading = loading;
    this.#viewer.touch();
  }

  #startAgain(): void {
    const loaded = this.#window;
    loaded.forget();
    this.#setMemory(null);
    this.#reading?.ending.abort();
    this.#readIfNeeded();
  }

  async #fill(after: number): Promise<void> {
    if (this.#isFilling) return;
    this.#isFilling = true;
    const [loaded, live] = [this.#window, this.#live];
    const signal = AbortSignal.timeout(ANSWER_MS);
    try {
      if (live.get().seq - after > WIDEST_HOLE) return this.#startAgain();
      const { events, oldestSeq } = await readEvents({ after, limit: HOLE_PAGE }, '', signal);
      if (this.#isEnded || loaded.lastSeq !== after) return;
      if (oldestSeq > after + 1 || events.length === 0) return this.#startAgain();
      loaded.append(events, after + 1);
    } catch {
      await new Promise((resolve) => window.setTimeout(resolve, AGAIN_MS));
    } finally {
      this.#isFilling = false;
      this.#take();
    }
  }
}
