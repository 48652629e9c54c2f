import type { Source } from '../../shared/wire/source.ts';
import { sightsOf } from '../watch/history/trend-sights.ts';

/** The sources, and what is seen of each now. */
export class Sights {
  /** All but the servers that were ended on purpose. */
  readonly sources: readonly Source[];
  readonly #sights;

  constructor(sources: readonly Source[]) {
    this.sources = sources.filter(({ ended }) => !ended);
    this.#sights = sightsOf(sources);
  }

  isWatched(source: string): boolean {
    return this.#sights.get(source)?.isWatched === true;
  }

  /** Whether waits are seen. */
  hasWaits(source: string): boolean {
    return this.isWatched(source) && this.#sights.get(source)?.waits === true;
  }

  /** Whether each hold's beginning, renewals and end are seen. Reads every two seconds do not show them. */
  hasHolds(source: string): boolean {
    return this.isWatched(source) && this.#sights.get(source)?.renewals === true;
  }
}
