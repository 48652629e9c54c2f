import { forgetOldest } from '../../base/forget-oldest.ts';
import type { LockEvent } from '../event.ts';
import { isEndInOrder, isNoOperation, isUnderWayTogether } from './one-operation.ts';
import type { Operation } from './operation.ts';

const MOST_SETS = 5_000;
/**
 * Sets of locks whose names are longer than this in total are not remembered: they would take too much memory and time.
 */
const MOST_CHARS = 4_000;

/**
 * Sets of locks, in order, that something other than time has shown to be one operation. Keeps the newest 5000.
 *
 *   a b c   acquired and released in this order       seen once: no evidence yet
 *   a b c   acquired again                            shown
 *   b a c   or released in another order              no evidence, even if repeated
 */
export class ShownSets {
  readonly #sets = new Set<string>();
  /** By set of locks: the order in which they were acquired and released; null: not always the same. */
  readonly #seen = new Map<string, string | null>();

  has(operation: Operation): boolean {
    if (isTooLong(operation)) return false;
    const key = keyOf(operation);
    return this.#sets.has(key) || (operation.members.size > 1 && this.#seen.get(sortedKeyOf(operation)) === key);
  }

  /**
   * Notes that these locks are one operation: next time, they are reported as a group once all of them were attempted.
   */
  add(operation: Operation): void {
    if (isTooLong(operation)) return;
    this.#sets.add(keyOf(operation));
    forgetOldest(this.#sets, MOST_SETS);
  }

  /**
   * Returns what the release of one lock shows. `isRevealed`: its operation is a group. `isTakenBack`: its operation
   * was reported as a group, but is not one. To be called before the release is noted in the operation.
   */
  judge(operation: Operation, event: LockEvent, isRollBack: boolean): { isRevealed: boolean; isTakenBack: boolean } {
    const isContradicted = isNoOperation(operation, event);
    const isTakenBack = operation.id !== undefined && isContradicted;
    operation.isReleasedAtOnce &&= isUnderWayTogether(operation, event);
    const isInOrder = isEndInOrder(operation, event);
    const isRevealed = !operation.isRefuted && (isRollBack || (isInOrder && operation.isReleasedAtOnce));
    if (isRevealed) this.add(operation);
    else if (isTakenBack || (isContradicted && operation.isUnsure)) this.#remove(operation);
    else if (isInOrder) this.#noteOrder(operation);
    if (isContradicted) {
      operation.isUnsure = false;
      operation.isRefuted = true;
    }
    return { isRevealed, isTakenBack };
  }

  /** Notes that these locks were acquired one after the other and released in the same order. */
  #noteOrder(operation: Operation): void {
    if (isTooLong(operation)) return;
    const set = sortedKeyOf(operation);
    const known = this.#seen.get(set);
    this.#note(set, known === undefined || known === keyOf(operation) ? keyOf(operation) : null);
  }

  /** Notes that these locks turned out to have nothing to do with each other. */
  #remove(operation: Operation): void {
    if (isTooLong(operation)) return;
    this.#sets.delete(keyOf(operation));
    this.#note(sortedKeyOf(operation), null);
  }

  #note(set: string, order: string | null): void {
    this.#seen.delete(set);
    this.#seen.set(set, order);
    forgetOldest(this.#seen, MOST_SETS);
  }
}

function isTooLong({ members }: Operation): boolean {
  let chars = 0;
  for (const id of members.keys()) chars += id.length;
  return chars > MOST_CHARS;
}

function keyOf({ members }: Operation): string {
  return JSON.stringify([...members.keys()]);
}

function sortedKeyOf({ members }: Operation): string {
  return JSON.stringify([...members.keys()].sort());
}
