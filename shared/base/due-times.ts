import type { RedisTime } from './time.ts';

type Due = { readonly at: RedisTime; readonly id: string };

/** Ids with an instant each, the earliest first: a heap. Setting and taking one costs O(log n). */
export class DueTimes {
  readonly #at = new Map<string, RedisTime>();
  /**
   * Entries that were replaced or removed remain until their instant, or until they outnumber the others by over 1000.
   */
  #heap: Due[] = [];

  /** Sets the instant of an id, or removes it. */
  set(id: string, at: RedisTime | undefined): void {
    if (at === undefined) {
      this.#at.delete(id);
      return;
    }
    if (this.#at.get(id) === at) return;
    this.#at.set(id, at);
    if (this.#heap.length > 2 * this.#at.size + 1000) this.#heap = [...this.#at].map(asDue).sort(byTime);
    else this.#push({ at, id });
  }

  /** Returns the ids whose instant has come, and removes them. */
  *take(now: RedisTime): Generator<string> {
    for (let first = this.#heap[0]; first !== undefined && first.at <= now; first = this.#heap[0]) {
      this.#pop();
      if (this.#at.get(first.id) !== first.at) continue;
      this.#at.delete(first.id);
      yield first.id;
    }
  }

  #push(due: Due): void {
    const heap = this.#heap;
    let place = heap.push(due) - 1;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || parent.at <= due.at) break;
      heap[place] = parent;
      place = above;
    }
    heap[place] = due;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let place = 0;
    for (;;) {
      const left = 2 * place + 1;
      const [a, b] = [heap[left], heap[left + 1]];
      const child = b !== undefined && a !== undefined && b.at < a.at ? left + 1 : left;
      const next = heap[child];
      if (next === undefined || next.at >= last.at) break;
      heap[place] = next;
      place = child;
    }
    heap[place] = last;
  }
}

function asDue([id, at]: readonly [string, RedisTime]): Due {
  return { at, id };
}

function byTime(a: Due, b: Due): number {
  return a.at - b.at;
}
