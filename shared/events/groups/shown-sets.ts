import { forgetOldest } from '../../base/forget-oldest.ts';
import type { LockEvent } from '../event.ts';
import { isEndInOrder, isNoOperation, isUnderWayTogether } from './one-operation.ts';
import type { Operation } from './operation.ts';

const MOST_SETS = 5_000;

/**
 * Locks, in their order, that something else than time has shown to be one operation. The oldest set is dropped at the
 * bound.
 *
 *   a b c   taken and released in their order         seen once: no evidence yet
 *   a b c   taken again                               shown
 *   b a c   or released in another order              never shown by being repeated
 */
export class ShownSets {
  readonly #sets = new Set<string>();
  /** Per set of locks the order in which it was taken and released; null: not always the same. */
  readonly #seen = new Map<string, string | null>();

  has(operation: Operation): boolean {
    const key = keyOf(operation);
    return this.#sets.has(key) || (operation.members.size > 1 && this.#seen.get(sortedKeyOf(operation)) === key);
  }

  /** Notes that these locks are one: next time they are as soon as all of them are asked for. */
  add(operation: Operation): void {
    this.#sets.add(keyOf(operation));
    forgetOldest(this.#sets, MOST_SETS);
  }

  /** What the release of one lock shows, before it is noted in the operation. */
  judge(operation: Operation, event: LockEvent, isRollBack: boolean): { isRevealed: boolean; isNone: boolean } {
    const isContradicted = isNoOperation(operation, event);
    const isNone = operation.id !== undefined && isContradicted;
    operation.isReleasedAtOnce &&= isUnderWayTogether(operation, event);
    const isInOrder = isEndInOrder(operation, event);
    const isRevealed = isRollBack || (isInOrder && operation.isReleasedAtOnce);
    if (isRevealed) this.add(operation);
    else if (isNone || (isContradicted && operation.isUnsure)) this.#remove(operation);
    else if (isInOrder) this.#noteOrder(operation);
    if (isContradicted) operation.isUnsure = false;
    return { isRevealed, isNone };
  }

  /** Notes that these locks were taken in a row and released in their order. */
  #noteOrder(operation: Operation): void {
    const set = sortedKeyOf(operation);
    const known = this.#seen.get(set);
    this.#note(set, known === undefined || known === keyOf(operation) ? keyOf(operation) : null);
  }

  /** Notes that these locks turned out to have nothing to do with each other. */
  #remove(operation: Operation): void {
    this.#sets.delete(keyOf(operation));
    this.#note(sortedKeyOf(operation), null);
  }

  #note(set: string, order: string | null): void {
    this.#seen.delete(set);
    this.#seen.set(set, order);
    forgetOldest(this.#seen, MOST_SETS);
  }
}

function keyOf({ members }: Operation): string {
  return JSON.stringify([...members.keys()]);
}

function sortedKeyOf({ members }: Operation): string {
  return JSON.stringify([...members.keys()].sort());
}
