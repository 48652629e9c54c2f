import { WAIT_CAUSES, type WaitCause, type WaitPart } from './divide-waits.ts';

/**
 * A part of waited time. `holder` and `lock` name the holder that blocked, or the evicted head. A part without them is
 * the rest of its cause.
 */
export type CostPart = {
  readonly cause: WaitCause;
  readonly holder?: string;
  readonly lock?: string;
  readonly micros: number;
};

type NamedPart = { readonly cause: WaitCause; readonly holder: string; readonly lock: string; micros: number };

/** How many names of holders may still be kept, in several sums together. */
export type Room = { left: number };

/**
 * How many names of holders a sum keeps if it has its own `Room`. A holder counts once for each cause and lock.
 */
const MOST_NAMED = 20_000;

/**
 * Adds up the parts of several waits, by cause and by holder. If there is no room for more names, further holders are
 * counted together, without a name.
 */
export class CostParts {
  readonly #causes = new Map<WaitCause, number>();
  readonly #named = new Map<string, NamedPart>();
  readonly #room: Room;

  constructor(room: Room = { left: MOST_NAMED }) {
    this.#room = room;
  }

  add({ cause, hold, holder = hold?.holder, lock, micros }: WaitPart): void {
    this.#causes.set(cause, (this.#causes.get(cause) ?? 0) + micros);
    if (holder === undefined) return;
    const key = `${cause} ${holder} ${lock}`;
    const known = this.#named.get(key);
    if (known) known.micros += micros;
    else if (this.#room.left > 0) {
      this.#room.left--;
      this.#named.set(key, { cause, holder, lock, micros });
    }
  }

  /** All parts, the longest first. At most `most` have a holder; what remains of their cause is a part without one. */
  parts(most: number): CostPart[] {
    const rest = new Map(this.#causes);
    const largest = [...this.#named.values()].sort((a, b) => b.micros - a.micros).slice(0, most);
    const parts: CostPart[] = largest.map((part) => {
      rest.set(part.cause, (rest.get(part.cause) ?? 0) - part.micros);
      return part;
    });
    for (const cause of WAIT_CAUSES) {
      const micros = rest.get(cause) ?? 0;
      // sums of shares are not exact, so less than 1 µs counts as nothing
      if (micros >= 1) parts.push({ cause, micros });
    }
    return parts.sort((a, b) => b.micros - a.micros);
  }
}
