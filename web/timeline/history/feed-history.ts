import { plusMillis, type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { Span } from '../layout/scale.ts';
import type { TimelineStore } from '../store/timeline-store.ts';
import { DropFollower } from './follow-drops.ts';
import { noteGone, readGone } from './gone-clients.ts';
import { type LoadPlan, loadPlan } from './load-plan.ts';
import { readStretch } from './read-stretch.ts';
import { readEvents, readNearest } from './window-request.ts';

export type FeedStatus = 'loading' | 'ready' | 'failed';

/** A view is read after it has not moved for this long. */
const REST_MS = 120;
/** The pause after a failure. */
const AGAIN_MS = 2000;
/** A hole of more events is not filled; the history is read again instead. */
const WIDEST_HOLE = 20_000;
/** The timeout of a request. */
const ANSWER_MS = 30_000;
const HOLE_PAGE = 5000;

type Target = { readonly view: Span; readonly anchor: RedisTime };
type Reading = { readonly plan: LoadPlan; readonly ending: AbortController; readonly done: Promise<void> };

/**
 * Keeps the timeline's history in step with the view. When the view stops moving, it reads what is missing from the
 * server. If the view moves elsewhere, it aborts the request. Live events are appended.
 */
export class HistoryFeed {
  readonly #timeline: TimelineStore;
  readonly #onStatus: (status: FeedStatus) => void;
  readonly #stops: (() => void)[];
  readonly #drops: DropFollower;
  #reading: Reading | null = null;
  #isFilling = false;
  #isEnded = false;
  #timer = 0;
  #beginning: number;
  /** The view that `reach` reads for; null: the view on screen. */
  #target: Target | null = null;
  /** Key of the state after the last read. The same read is not repeated: it would change nothing. */
  #inVain = '';

  constructor(timeline: TimelineStore, onStatus: (status: FeedStatus) => void) {
    this.#timeline = timeline;
    this.#onStatus = onStatus;
    this.#drops = new DropFollower(timeline);
    this.#beginning = timeline.live.get().beginning;
    this.#stops = [timeline.live.subscribe(() => this.#take()), timeline.subscribe(() => this.#lookSoon())];
    this.#look();
    // Without a response, only current holders are known to be gone.
    readGone(timeline, AbortSignal.timeout(ANSWER_MS)).then(
      () => timeline.touch(),
      () => undefined,
    );
  }

  end(): void {
    this.#isEnded = true;
    for (const stop of this.#stops) stop();
    window.clearTimeout(this.#timer);
    this.#reading?.ending.abort();
    this.#timeline.setLoading(null);
  }

  /** Reads what a view needs before it is shown: around the anchor, or the whole view if `isWhole`. */
  async reach(view: Span, anchor: RedisTime, isWhole: boolean): Promise<void> {
    this.#target = { view, anchor };
    this.#inVain = '';
    try {
      for (let round = 0; round < 4 && !this.#isEnded; round++) {
        if (this.#reading && !this.#isStillWanted(this.#reading.plan)) this.#reading.ending.abort();
        if (!isWhole && this.#covers(anchor)) return;
        if (!this.#reading) this.#look();
        if (!this.#reading) return;
        await this.#reading.done;
      }
    } finally {
      this.#target = null;
    }
  }

  /** When an event happened; null if the server no longer has it. */
  async timeOf(seq: number): Promise<RedisTime | null> {
    const { events } = await readEvents({ after: seq - 1, limit: 1 }, '', AbortSignal.timeout(ANSWER_MS));
    return events[0]?.seq === seq ? events[0].at : null;
  }

  /** The times of the nearest events before and after a view without events. */
  around(view: Span): ReturnType<typeof readNearest> {
    const { events, stateSeq, onlyLock } = this.#timeline.history;
    const last = events.findLast(({ at }) => at < view.from)?.seq ?? stateSeq;
    return readNearest(last, onlyLock, AbortSignal.timeout(ANSWER_MS));
  }

  /** Whether the history has this instant, for the selected lock. */
  #covers(at: RedisTime): boolean {
    const { from, to, onlyLock } = this.#timeline.history;
    return onlyLock === this.#timeline.get().onlyLock && from !== null && from <= at && (to === null || at <= to);
  }

  #lookSoon(): void {
    if (this.#isEnded) return;
    if (this.#reading && !this.#isStillWanted(this.#reading.plan)) this.#reading.ending.abort();
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#look(), REST_MS);
  }

  /** Starts to read what is missing for the view, if anything is. */
  #look(): void {
    if (this.#isEnded || this.#reading) return;
    const plan = this.#plan();
    if (!plan || this.#keyOf(plan) === this.#inVain) return;
    const ending = new AbortController();
    const done = this.#read(plan, ending.signal).finally(() => {
      this.#reading = null;
      this.#timeline.setLoading(null);
      this.#take();
      this.#lookSoon();
    });
    this.#reading = { plan, ending, done };
  }

  #wanted(): Target {
    return this.#target ?? { view: this.#timeline.view(), anchor: this.#timeline.anchor() };
  }

  #plan(): LoadPlan | null {
    const { history, memory } = this.#timeline;
    const { view, anchor } = this.#wanted();
    const now = this.#timeline.now();
    const isOther = history.onlyLock !== this.#timeline.get().onlyLock;
    const whole = { from: memory?.oldestAt ?? redisTime(Math.min(view.from, now)), to: now };
    history.anchor = this.#timeline.isLive() && !this.#target ? null : anchor;
    if (history.from === null || isOther) return loadPlan(view, anchor, whole, null);
    const to = history.to ?? plusMillis(now, ANSWER_MS);
    return loadPlan(view, anchor, whole, { from: history.from, to, counts: history.countsAround(anchor) });
  }

  #keyOf({ kind }: LoadPlan): string {
    const { from, to, onlyLock } = this.#timeline.history;
    const { view } = this.#wanted();
    const place = this.#timeline.isLive() ? 'live' : `${view.from} ${view.to}`;
    return `${kind} ${from} ${to} ${onlyLock} ${place}`;
  }

  #isStillWanted(plan: LoadPlan): boolean {
    const { view } = this.#wanted();
    return view.from <= plan.to && view.to >= plan.from;
  }

  async #read(plan: LoadPlan, signal: AbortSignal): Promise<void> {
    const { history, live } = this.#timeline;
    const lock = this.#timeline.get().onlyLock;
    const { beginning } = live.get();
    const { from } = plan;
    const now = this.#timeline.now();
    const isOpen = plan.kind !== 'left' && plan.to >= plusMillis(now, -1000);
    const to = plan.kind === 'left' ? redisTime(Math.max(plan.to, history.joinAt)) : isOpen ? null : plan.to;
    const anchor = plan.kind === 'left' ? plan.to : plan.kind === 'right' ? plan.from : this.#wanted().anchor;
    this.#timeline.setLoading({ from, to: plan.to, reached: from });
    try {
      const stretch = await readStretch(
        { from, to, now, anchor, lock },
        {
          memory: (memory) => this.#timeline.setMemory(memory),
          reached: (reached) => this.#timeline.setLoading({ from, to: plan.to, reached }),
        },
        AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
      );
      if (signal.aborted || lock !== this.#timeline.get().onlyLock) return;
      this.#beginning = beginning;
      live.take({ type: 'history-read', events: stretch.events, locks: stretch.locks });
      this.#put(plan, stretch, lock);
      this.#inVain = this.#keyOf(plan);
      this.#onStatus('ready');
    } catch {
      if (signal.aborted) return;
      this.#onStatus(history.from === null ? 'failed' : 'ready');
      this.#timeline.setLoading({ from, to: plan.to, reached: 'failed' });
      await new Promise((resolve) => window.setTimeout(resolve, AGAIN_MS));
    }
  }

  #put(plan: LoadPlan, stretch: Awaited<ReturnType<typeof readStretch>>, lock: string): void {
    const { history } = this.#timeline;
    if (plan.kind === 'left') {
      // a stretch that does not reach the loaded one would leave a hole
      if (stretch.to === null || stretch.to >= plan.to) history.prepend(stretch);
    } else if (plan.kind === 'right') history.extend(stretch);
    else {
      history.onlyLock = lock;
      history.replace(stretch);
    }
    this.#timeline.noteLocks();
    this.#timeline.touch();
  }

  /** Appends live events. */
  #take(): void {
    const { history, live } = this.#timeline;
    if (this.#isEnded || history.from === null) return;
    const state = live.get();
    if (state.beginning !== this.#beginning) {
      this.#beginning = state.beginning;
      if (state.seq < history.lastSeq) return this.#startAgain();
    }
    const { version } = history;
    const hole = history.append(state.events, state.wholeFrom);
    if (hole) void this.#fill(hole.after);
    noteGone(this.#timeline, state.locks.values());
    this.#timeline.noteLocks();
    this.#drops.look();
    if (history.version !== version) this.#timeline.touch();
  }

  #startAgain(): void {
    const { history } = this.#timeline;
    history.forget();
    this.#timeline.setMemory(null);
    this.#reading?.ending.abort();
    this.#look();
  }

  async #fill(after: number): Promise<void> {
    if (this.#isFilling) return;
    this.#isFilling = true;
    const { history, live } = this.#timeline;
    const signal = AbortSignal.timeout(ANSWER_MS);
    try {
      if (live.get().seq - after > WIDEST_HOLE) return this.#startAgain();
      const { events, oldestSeq } = await readEvents({ after, limit: HOLE_PAGE }, '', signal);
      if (this.#isEnded || history.lastSeq !== after) return;
      if (oldestSeq > after + 1 || events.length === 0) return this.#startAgain();
      history.append(events, after + 1);
    } catch {
      await new Promise((resolve) => window.setTimeout(resolve, AGAIN_MS));
    } finally {
      this.#isFilling = false;
      this.#take();
    }
  }
}
