import type { SpanPlace } from './span-place.ts';

type Place = NonNullable<SpanPlace>;

/**
 * The newest places, by the `seq` of an event: at least `most`, at most twice as many. Old ones are dropped together:
 * to delete the oldest entry of a large map each time takes ten times as long.
 */
export class Places {
  readonly #most: number;
  #newer = new Map<number, Place>();
  #older = new Map<number, Place>();

  constructor(most: number) {
    this.#most = most;
  }

  get(seq: number): Place | undefined {
    return this.#newer.get(seq) ?? this.#older.get(seq);
  }

  /** Adds the place of an event, unless it has one already. */
  add(seq: number, place: Place): void {
    if (this.get(seq)) return;
    if (this.#newer.size >= this.#most) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(seq, place);
  }
}
