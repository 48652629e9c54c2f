import type { SimulatedProcess } from './simulated-process.ts';

/** Something that will happen at an instant, in one process. */
export type Due = {
  /** In µs. */
  at: number;
  /** Of entries with the same `at`, the one with the lowest number comes first. */
  order: number;
  readonly process: SimulatedProcess;
  /** A timer. Otherwise it is something that arrives from outside. */
  readonly isTimer: boolean;
  isCancelled: boolean;
  readonly run: () => void;
};

/** What is due, the earliest first: a binary heap. */
export class EventQueue {
  readonly #heap: Due[] = [];

  add(due: Due): void {
    const heap = this.#heap;
    let at = heap.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above] as Due; // the index is within the heap
      if (!isBefore(due, parent)) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = due;
  }

  take(): Due | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      const right = heap[below + 1];
      if (right && isBefore(right, heap[below] as Due)) below++;
      const child = heap[below] as Due; // the index is within the heap
      if (!isBefore(child, last)) break;
      heap[at] = child;
      at = below;
    }
    heap[at] = last;
    return first;
  }
}

function isBefore(due: Due, other: Due): boolean {
  return due.at < other.at || (due.at === other.at && due.order < other.order);
}
