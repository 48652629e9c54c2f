import { nameInId } from '../../../shared/state/lock-state.ts';
import { type Row, rowsFrom } from '../layout/rows.ts';
import { peopleInOrder } from './lane-order.ts';
import type { TimelineState } from './timeline-state.ts';
import type { TimelineStore } from './timeline-store.ts';

/** The most lanes of one lock. */
const MOST_PEOPLE = 2000;

export type Rows = { readonly rows: readonly Row[]; readonly height: number; readonly hiddenCount: number };

/**
 * The rows of the picture; the same object until something about them changes. While paused, lanes of new events are
 * not added: they would push down the lanes on screen. When an older range has been read, its lanes are added at once.
 */
export class RowCache {
  readonly #timeline: TimelineStore;
  #rows: Rows = { rows: [], height: 0, hiddenCount: 0 };
  #inputs: readonly unknown[] = [];
  #lanes = -1;
  /** Holders of each lock, in the order in which their lanes were first shown. */
  #people = new Map<string, string[]>();
  #arrangement = -1;

  constructor(timeline: TimelineStore) {
    this.#timeline = timeline;
  }

  get = (): Rows => {
    const state = this.#timeline.get();
    const inputs = [...inputsOf(state), this.#timeline.tracks.changes, this.#timeline.arrangements];
    const isSame = inputs.every((input, index) => input === this.#inputs[index]) && this.#inputs.length > 0;
    if (isSame && !this.#timeline.isLive() && this.#rows.rows.length > 0) return this.#rows;
    const lanes = this.#countLanes(state);
    if (isSame && lanes === this.#lanes) return this.#rows;
    this.#inputs = inputs;
    this.#lanes = lanes;
    this.#rows = rowsFrom({
      ...state,
      order: state.onlyLock === '' ? state.order : this.#onlyLock(state),
      quiet: state.onlyLock === '' ? state.quiet : new Set(),
      open: state.onlyLock === '' ? state.open : new Set([...state.open, ...this.#onlyLock(state)]),
      holdersOf: (id) => this.#holdersOf(id),
    });
    return this.#rows;
  };

  /**
   * Lanes keep their places while the user reads and zooms: first holders, then waiters, then others as they appear.
   */
  #holdersOf(id: string): string[] {
    if (this.#arrangement !== this.#timeline.arrangements) this.#people = new Map();
    this.#arrangement = this.#timeline.arrangements;
    const lanes = this.#track(id)?.lanes.map((lane) => lane.holder) ?? [];
    const known = this.#people.get(id) ?? peopleInOrder(this.#timeline.lockAtCursor(id));
    const fresh = lanes.filter((holder) => !known.includes(holder));
    const people = fresh.length > 0 ? [...known, ...fresh].slice(-MOST_PEOPLE) : known;
    this.#people.set(id, people);
    const shown = new Set(lanes);
    return people.filter((holder) => shown.has(holder));
  }

  #onlyLock(state: TimelineState): string[] {
    return state.order.filter((id) => nameInId(id) === state.onlyLock);
  }

  #countLanes(state: TimelineState): number {
    let lanes = 0;
    for (const id of state.open) lanes += (this.#track(id)?.lanes.length ?? 0) + 1;
    return lanes;
  }

  #track(id: string) {
    return this.#timeline.tracks.get(id, Date.now());
  }
}

function inputsOf(state: TimelineState): readonly unknown[] {
  const { order, open, quiet, openQuiet, folded, wide, openFolds, hidden, pinned, onlyLock } = state;
  return [order, open, quiet, openQuiet, folded, wide, openFolds, hidden, pinned, onlyLock];
}
