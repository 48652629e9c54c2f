import { WAIT_CAUSES, type WaitCause, type WaitPart } from './divide-waits.ts';

/** A part of waited time. `holder` and `lock`: the hold in the way, or the evicted head; absent: those of several. */
export type CostPart = {
  readonly cause: WaitCause;
  readonly holder?: string;
  readonly lock?: string;
  readonly micros: number;
};

type Named = { readonly cause: WaitCause; readonly holder: string; readonly lock: string; micros: number };

/** How many holders are kept by name. */
const MOST_NAMED = 32;

/** Adds up the parts of several waits, by cause, and by holder for the holders that took the most time. */
export class CostParts {
  readonly #causes = new Map<WaitCause, number>();
  #named = new Map<string, Named>();

  add({ cause, hold, holder = hold?.holder, lock, micros }: WaitPart): void {
    this.#causes.set(cause, (this.#causes.get(cause) ?? 0) + micros);
    if (holder === undefined) return;
    const key = `${cause} ${holder} ${lock}`;
    const known = this.#named.get(key);
    if (known) known.micros += micros;
    else this.#named.set(key, { cause, holder, lock, micros });
    if (this.#named.size > 4 * MOST_NAMED) this.#named = new Map(this.#largest(MOST_NAMED));
  }

  /** All parts, the longest first. At most `most` have a holder; what remains of their cause is a part without one. */
  parts(most: number): CostPart[] {
    const rest = new Map(this.#causes);
    const parts: CostPart[] = this.#largest(most).map(([, part]) => {
      rest.set(part.cause, (rest.get(part.cause) ?? 0) - part.micros);
      return part;
    });
    for (const cause of WAIT_CAUSES) {
      const micros = rest.get(cause) ?? 0;
      // sums of shares are not exact
      if (micros >= 1) parts.push({ cause, micros });
    }
    return parts.sort((a, b) => b.micros - a.micros);
  }

  #largest(most: number): [string, Named][] {
    return [...this.#named].sort(([, a], [, b]) => b.micros - a.micros).slice(0, most);
  }
}
