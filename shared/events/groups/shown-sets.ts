import { forgetOldest } from '../../base/forget-oldest.ts';
import type { Operation } from './operation.ts';

const MOST_SETS = 5_000;

/** Locks, in their order, that something else than time has shown to be one. The oldest set is dropped at the bound. */
export class ShownSets {
  readonly #sets = new Set<string>();

  has(operation: Operation): boolean {
    return this.#sets.has(keyOf(operation));
  }

  /** Notes that these locks are one: next time they are as soon as all of them are asked for. */
  add(operation: Operation): void {
    this.#sets.add(keyOf(operation));
    forgetOldest(this.#sets, MOST_SETS);
  }

  /** Notes that these locks turned out to have nothing to do with each other. */
  remove(operation: Operation): void {
    this.#sets.delete(keyOf(operation));
  }
}

function keyOf({ members }: Operation): string {
  return JSON.stringify([...members.keys()]);
}
