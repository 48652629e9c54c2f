import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { EventWindow } from './event-window.ts';
import { type Outline, readOutline } from './outline.ts';
import type { TimeSpan } from './time-span.ts';
import type { Viewer } from './viewer.ts';

/** How much is read beyond each edge of the view, as a share of the view: panning shows it at once. */
const MORE_SHARE = 0.5;
/** An outline whose columns are wider than this many columns of the view is read again. */
const COARSE = 1.6;
const MOST_COLUMNS = 4000;
const ANSWER_MS = 10_000;
const AGAIN_MS = 2000;

/**
 * Reads the outline of a view while the events of a part of it are not loaded. It is read at once, because an outline is
 * small, whatever the length of the view.
 */
export class OutlineFeed {
  readonly #window: EventWindow;
  readonly #viewer: Viewer;
  readonly #now: () => RedisTime;
  readonly #onRead: () => void;
  #isReading = false;
  /** After a failure, nothing is read before this time of `performance`. */
  #againAt = 0;
  #ending = new AbortController();

  constructor(window: EventWindow, viewer: Viewer, now: () => RedisTime, onRead: () => void) {
    this.#window = window;
    this.#viewer = viewer;
    this.#now = now;
    this.#onRead = onRead;
  }

  /** True while an outline is being read: how many events the view has is not known yet. */
  get isReading(): boolean {
    return this.#isReading;
  }

  end(): void {
    this.#ending.abort();
  }

  /** Reads an outline if the view needs another one. */
  readIfNeeded(): void {
    if (this.#isReading || this.#ending.signal.aborted || performance.now() < this.#againAt) return;
    const columns = this.#viewer.columns?.() ?? 0;
    const view = this.#viewer.view();
    if (columns === 0 || !this.#isWanted(view) || this.#serves(this.#window.outline, view, columns)) return;
    this.#isReading = true;
    void this.#read(view, columns).finally(() => {
      this.#isReading = false;
      this.#onRead();
    });
  }

  /** Whether a part of the view is in the server's memory but not loaded. */
  #isWanted(view: TimeSpan): boolean {
    const { from, to, memory, onlyLock } = this.#window;
    const oldest = Math.max(view.from, memory?.oldestAt ?? view.from);
    const newest = Math.min(view.to, this.#now());
    if (from === null || onlyLock !== this.#viewer.onlyLock()) return oldest < newest;
    return oldest < Math.min(from, newest) || (to !== null && Math.max(to, oldest) < newest);
  }

  #serves(outline: Outline | null, view: TimeSpan, columns: number): boolean {
    if (outline === null || outline.onlyLock !== this.#viewer.onlyLock()) return false;
    const oldest = this.#window.memory?.oldestAt ?? view.from;
    const { from, to } = this.#window;
    // while the window follows live events, the events after its left edge are loaded
    const needed = Math.min(view.to, from !== null && to === null ? from : this.#now());
    if (outline.from > Math.max(view.from, oldest) || outline.to < needed) return false;
    return (outline.to - outline.from) / outline.columns < (COARSE * (view.to - view.from)) / columns;
  }

  async #read(view: TimeSpan, columns: number): Promise<void> {
    const length = view.to - view.from;
    const now = this.#now();
    const from = Math.max(view.from - length * MORE_SHARE, this.#window.memory?.oldestAt ?? 0, 0);
    const to = Math.min(view.to + length * MORE_SHARE, now);
    if (to <= from) return;
    const wanted = Math.ceil((columns * (to - from)) / length);
    const ask = { from: redisTime(from), to: redisTime(to), columns: Math.max(1, Math.min(MOST_COLUMNS, wanted)) };
    try {
      const signal = AbortSignal.any([this.#ending.signal, AbortSignal.timeout(ANSWER_MS)]);
      this.#window.setOutline(await readOutline({ ...ask, lock: this.#viewer.onlyLock() }, signal));
      this.#viewer.onLiveState(true);
    } catch {
      this.#againAt = performance.now() + AGAIN_MS;
    }
  }
}
