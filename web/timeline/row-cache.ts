import { nameOfLock, type Row, rowsFrom } from './rows.ts';
import type { TimelineState } from './timeline-state.ts';
import type { TimelineStore } from './timeline-store.ts';

export type Rows = { readonly rows: readonly Row[]; readonly height: number; readonly hiddenCount: number };

/**
 * The rows of the picture; the same object until something about them changes. While paused, lanes that are new
 * wait: they would push down what somebody looks at. Those of older pages, asked for, come in at once.
 */
export class RowCache {
  readonly #timeline: TimelineStore;
  #rows: Rows = { rows: [], height: 0, hiddenCount: 0 };
  #wishes: readonly unknown[] = [];
  #lanes = -1;

  constructor(timeline: TimelineStore) {
    this.#timeline = timeline;
  }

  get = (): Rows => {
    const state = this.#timeline.get();
    const wishes = [...wishesOf(state), this.#timeline.history.laneChanges];
    const isSame = wishes.every((wish, index) => wish === this.#wishes[index]) && this.#wishes.length > 0;
    if (isSame && !this.#timeline.isLive() && this.#rows.rows.length > 0) return this.#rows;
    const lanes = this.#countLanes(state);
    if (isSame && lanes === this.#lanes) return this.#rows;
    this.#wishes = wishes;
    this.#lanes = lanes;
    this.#rows = rowsFrom({
      ...state,
      order: state.onlyLock === '' ? state.order : this.#onlyLock(state),
      quiet: state.onlyLock === '' ? state.quiet : new Set(),
      open: state.onlyLock === '' ? state.open : new Set([...state.open, ...this.#onlyLock(state)]),
      holdersOf: (id) => this.#track(id)?.lanes.map((lane) => lane.holder) ?? [],
    });
    return this.#rows;
  };

  #onlyLock(state: TimelineState): string[] {
    return state.order.filter((id) => nameOfLock(id) === state.onlyLock);
  }

  #countLanes(state: TimelineState): number {
    let lanes = 0;
    for (const id of state.open) lanes += (this.#track(id)?.lanes.length ?? 0) + 1;
    return lanes;
  }

  #track(id: string) {
    return this.#timeline.history.track(id, Date.now());
  }
}

function wishesOf(state: TimelineState): readonly unknown[] {
  const { order, open, quiet, isQuietOpen, hidden, pinned, onlyLock } = state;
  return [order, open, quiet, isQuietOpen, hidden, pinned, onlyLock];
}
