import { type Millis, millisBetween, type RedisTime } from '../../../shared/base/time.ts';

/** By how much the events of each source are behind, at each look of the detectors. */
export class SourceLags {
  readonly #lagOf: (source: string | undefined) => Millis;
  readonly #last = new Map<string | undefined, { readonly at: RedisTime; readonly ms: Millis }>();

  constructor(lagOf: (source: string | undefined) => Millis) {
    this.#lagOf = lagOf;
  }

  /**
   * By how much the time of a source is behind that of a look, so that all of its events until then have arrived. `of`:
   * the source whose event is at that instant. A lag grows at most as fast as time passes: the time of a source may
   * stand still, but never goes back.
   */
  behind(source: string | undefined, at: RedisTime, of?: string): Millis {
    const last = this.#last.get(source);
    const lag = this.#lagOf(source) - (of === undefined ? 0 : this.#lagOf(of));
    const most = last === undefined ? Infinity : last.ms + Math.max(0, millisBetween(last.at, at));
    const ms = Math.max(0, Math.min(lag, most));
    this.#last.set(source, { at, ms });
    return ms;
  }
}
