import type { LockEvent } from '../events/event.ts';
import type { LockState } from '../state/lock-state.ts';

type Change = { readonly began: readonly string[]; readonly ended: readonly string[] };

const NO_CHANGE: Change = { began: [], ended: [] };

/**
 * The holders of a semaphore's permits, from its events. A permit with an id is its own holder; otherwise the holder is
 * the connection that took it. Permits without ids have no owner: a release returns the caller's own permits first,
 * then the oldest.
 */
export class PermitTakers {
  readonly #counts = new Map<string, number>();

  /** `base`: the state of the semaphore before the first event. */
  constructor(base?: LockState) {
    for (const { id, mode, holdCount } of base?.holders ?? [])
      if (mode === 'permit') this.#counts.set(id, holdCount ?? 1);
  }

  /** The number of permits of a holder. */
  countOf(id: string): number {
    return this.#counts.get(id) ?? 0;
  }

  /** Every holder, with its number of permits. */
  counts(): IterableIterator<[string, number]> {
    return this.#counts.entries();
  }

  /** Takes an event; returns the holders that acquired permits, and those that no longer hold any. */
  after(event: LockEvent): Change {
    switch (event.type) {
      case 'permits.acquired': {
        const ids = event.permitIds ?? (event.holder === undefined || !event.permits ? [] : [event.holder]);
        for (const id of ids)
          this.#counts.set(id, (this.#counts.get(id) ?? 0) + (event.permitIds ? 1 : (event.permits ?? 0)));
        return { began: ids, ended: [] };
      }
      case 'permits.released':
      case 'permits.expired': {
        const isAllBack = event.available !== undefined && event.available === event.total;
        return {
          began: [],
          ended: isAllBack ? this.#all() : this.#giveBack(event.permits, event.permitIds, event.holder),
        };
      }
      case 'permits.set': {
        if (event.changedBy !== undefined) return NO_CHANGE;
        const found = (event.deadlines ?? []).map(({ id }) => id);
        const ended = [...this.#counts.keys()].filter((id) => !found.includes(id));
        for (const id of ended) this.#counts.delete(id);
        for (const id of found) this.#counts.set(id, 1);
        return { began: found, ended };
      }
      default:
        return NO_CHANGE;
    }
  }

  #all(): string[] {
    const all = [...this.#counts.keys()];
    this.#counts.clear();
    return all;
  }

  #giveBack(permits: number, ids: readonly string[] | undefined, caller: string | undefined): string[] {
    let left = permits;
    const others = [...this.#counts.keys()].filter((id) => id !== caller);
    const inOrder = ids ?? (caller !== undefined && this.#counts.has(caller) ? [caller, ...others] : others);
    return inOrder.filter((id) => {
      const count = this.#counts.get(id) ?? 0;
      const part = ids ? count : Math.min(left, count);
      left -= part;
      if (count > part) this.#counts.set(id, count - part);
      else this.#counts.delete(id);
      return count <= part;
    });
  }
}
