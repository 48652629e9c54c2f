import { DueTimes } from '../../../shared/base/due-times.ts';
import type { RedisTime } from '../../../shared/base/time.ts';
import { byPlace, byText } from '../../../shared/insights/attention.ts';
import type { LockState } from '../../../shared/state/lock-state.ts';
import type { PlacedLock } from '../../../shared/wire/locks/lock-view.ts';
import { SortedChunks } from '../slices/sorted-chunks.ts';

type Place = Pick<PlacedLock, 'id' | 'name' | 'need' | 'wanted'> & { readonly source: string; readonly db: number };

/** If more than one lock in this many has changed, sorting all locks again costs less than moving each. */
const PART = 4;

/** Where the locks are looked up, and how each is ranked now. */
type Ranking = {
  readonly now: (source: string) => RedisTime;
  lockOf(id: string): LockState | undefined;
  placeOf(lock: LockState): PlacedLock;
};

/**
 * All locks in the order of attention. A lock moves only when it changes, when one of its clients changes, or at an
 * instant that is noted with its place.
 */
export class AttentionList {
  readonly #ranking: Ranking;
  readonly #places = new Map<string, Place>();
  readonly #sorted = new SortedChunks<Place>(byRank);
  readonly #due = new Map<string, DueTimes>();
  #changed = new Set<string>();

  constructor(ranking: Ranking) {
    this.#ranking = ranking;
  }

  /** Notes locks whose place may have changed, or that are gone. */
  note(ids: Iterable<string>): void {
    for (const id of ids) this.#changed.add(id);
  }

  /** All locks in order: the ids, and whether a lock needs attention. Nothing may change while they are read. */
  *inOrder(): Generator<Pick<Place, 'id' | 'need'>> {
    this.settle();
    yield* this.#sorted;
  }

  /** Moves all locks whose place has changed. */
  settle(): void {
    for (const [source, due] of this.#due) this.note(due.take(this.#ranking.now(source)));
    if (this.#changed.size === 0) return;
    const ids = this.#changed;
    this.#changed = new Set();
    const isMany = ids.size * PART > this.#places.size;
    for (const id of ids) this.#move(id, !isMany);
    if (isMany) this.#sorted.set(this.#places.values());
  }

  #move(id: string, isInOrder: boolean): void {
    const before = this.#places.get(id);
    const lock = this.#ranking.lockOf(id);
    if (!lock) {
      if (before && isInOrder) this.#sorted.remove(before);
      if (before) this.#due.get(before.source)?.set(id, undefined);
      this.#places.delete(id);
      return;
    }
    const { source, db } = lock;
    const { name, need, wanted, until } = this.#ranking.placeOf(lock);
    this.#dueOf(source).set(id, until);
    if (before?.need === need && before.wanted === wanted) return;
    if (before && isInOrder) this.#sorted.remove(before);
    const place = { id, name, need, wanted, source, db };
    this.#places.set(id, place);
    if (isInOrder) this.#sorted.add(place);
  }

  #dueOf(source: string): DueTimes {
    const due = this.#due.get(source) ?? new DueTimes();
    this.#due.set(source, due);
    return due;
  }
}

/** The order of attention, then the names. */
function byRank(a: Place, b: Place): number {
  if (a.need > 0 || b.need > 0) return byPlace(a, b);
  return byText(a.name, b.name) || byText(a.source, b.source) || a.db - b.db;
}
