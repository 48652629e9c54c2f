import type { Lock } from '../../../shared/wire/locks/lock.ts';
import type { LiveStore } from '../../data/live/live-store.ts';
import type { EventWindow } from '../../data/window/event-window.ts';
import { isInView } from '../layout/quiet.ts';
import type { LockTracks } from '../model/lock-tracks.ts';
import { type Foldable, foldLanes, unfoldLanes } from './lane-folds.ts';
import { inOrderOfAttention, isWanted, withNewLocks } from './lane-order.ts';
import { FIRST_STATE, firstOf, isSameSet, type TimelineState, withFirst } from './timeline-state.ts';

/** The parts of a timeline that decide where its locks are, and which are folded. */
type Arrangeable = Foldable & {
  readonly live: LiveStore;
  readonly window: EventWindow;
  readonly tracks: LockTracks;
  set(part: Partial<TimelineState>): void;
  lockIds(): Set<string>;
  lockAtCursor(id: string): Lock | undefined;
  arrange(): void;
};

/** While live, a free lock without waiters and without an event for this long is folded as quiet. */
const QUIET_MICROS = 600_000_000;
/** While live, quiet locks are looked for this often. */
const FOLD_EVERY_MICROS = 5_000_000;
/** If new locks make the order longer than this, locks that are no longer in the window lose their places. */
const MOST_ORDERED = 5000;

/** The order of the locks of a timeline, and which of them are folded as quiet. */
export class LockPlaces {
  readonly #timeline: Arrangeable;
  #quietAt = 0;
  /** Locks that were wanted when they got their place. */
  #wanted = new Set<string>();
  /** The locks that were opened here, until the user opens or closes a lock. */
  #opened = FIRST_STATE.open;

  constructor(timeline: Arrangeable) {
    this.#timeline = timeline;
  }

  /** Sorts all locks again, by attention at the cursor. */
  arrange(): void {
    const locks = [...this.#timeline.lockIds()].map((id) => ({ id, lock: this.#timeline.lockAtCursor(id) }));
    this.#wanted = new Set(locks.filter(({ lock }) => isWanted(lock)).map(({ id }) => id));
    const order = inOrderOfAttention(locks);
    this.#place(order, true);
    this.#foldQuiet();
  }

  /** Adds new locks. While live, folds quiet locks every 5 s; while paused, unfolds locks that came into view. */
  update(): void {
    const known = new Set(this.#timeline.get().order);
    const ids = [...this.#timeline.lockIds()].filter((id) => !known.has(id));
    if (ids.length > 0 && known.size === 0) return this.#timeline.arrange();
    if (ids.length > 0) this.#join(ids);
    unfoldLanes(this.#timeline);
    if (!this.#timeline.isLive()) this.#unfold();
    else if (this.#timeline.now() - this.#quietAt > FOLD_EVERY_MICROS) this.#foldQuiet();
  }

  /** Folds locks without anything in the view; while live, free locks without an event for 10 minutes. */
  #foldQuiet(): void {
    this.#quietAt = this.#timeline.now();
    const { order, quiet: before } = this.#timeline.get();
    const quiet = new Set(order.filter((id) => this.#isQuiet(id)));
    if (!isSameSet(quiet, before)) this.#timeline.set({ quiet });
    foldLanes(this.#timeline);
  }

  #join(ids: readonly string[]): void {
    const fresh = ids.map((id) => ({ id, lock: this.#timeline.lockAtCursor(id) }));
    let order = withNewLocks(this.#timeline.get().order, this.#wanted, fresh);
    for (const { id, lock } of fresh) if (isWanted(lock)) this.#wanted.add(id);
    if (order.length > MOST_ORDERED) {
      const still = this.#timeline.lockIds();
      order = order.filter((id) => still.has(id));
    }
    this.#place(order, false);
  }

  /**
   * Sets the order, and opens the first locks, or only the new ones among them. A lock that the user has opened or
   * closed stays as it is.
   */
  #place(order: readonly string[], isSorted: boolean): void {
    const state = this.#timeline.get();
    const isOurs = state.open === this.#opened;
    const open = isSorted && isOurs ? new Set(firstOf(order)) : withFirst(state, order);
    if (isOurs) this.#opened = open;
    this.#timeline.set({ order, open });
  }

  /** Unfolds quiet locks that have come into the view. */
  #unfold(): void {
    const { quiet: before } = this.#timeline.get();
    const quiet = new Set([...before].filter((id) => this.#isQuiet(id)));
    if (quiet.size < before.size) this.#timeline.set({ quiet });
  }

  #isQuiet(id: string): boolean {
    const { live, window } = this.#timeline;
    if (!this.#timeline.isLive()) return !isInView(this.#timeline, id, this.#timeline.view(), this.#timeline.now());
    const lock = live.get().locks.get(id);
    const isBusy = lock !== undefined && (lock.held || lock.waiters.length > 0);
    return !isBusy && this.#timeline.now() - window.lastAt(id) > QUIET_MICROS;
  }
}
