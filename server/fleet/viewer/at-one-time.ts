import { plusMillis, redisTime } from '../../../shared/base/time.ts';
import type { Pulse } from '../../../shared/wire/fleet/pulse.ts';

/** The newest pulse of a source when something was first found. `at`: the time of the first pulse begun after that. */
type Began = { readonly run: number; readonly number: number; at?: number };

/**
 * Proves that what several sources show was true at one time. States of two sources are of two instants: a hold of one
 * may have ended before the wait at the other began. Clocks are not compared, only the order of events:
 *
 *   viewer   ①  reads pulse 7 and pulse 4, which show the hold and the wait        ② reads 9 and 6: the same ones, unchanged
 *   orders   7 ··········· 8 ··········· 9   begun after 8 was on the bus, so after ①
 *   stock        4 ··········· 5 ··········· 6
 *
 * Each hold and each wait began before ①, since a pulse shows it, and ended after ①, since a pulse begun later shows
 * the same one, with the same beginning. So all of them were true at ①. A pulse that lags behind its server counts only
 * once it covers the time of the first pulse begun after ①.
 */
export class AtOneTime {
  #known = new Map<string, Map<string, Began>>();

  /**
   * Takes what the pulses show: the source names of each finding, by a key that contains the beginnings of all its
   * holds and waits. Findings that are missing are forgotten. `areNewest`: the bus was just read, and had no pulse
   * after these; else nothing begins. Returns the keys that are proven.
   */
  prove(
    found: ReadonlyMap<string, Iterable<string>>,
    pulses: ReadonlyMap<string, Pulse>,
    areNewest: boolean,
  ): Set<string> {
    const before = this.#known;
    this.#known = new Map();
    const proven = new Set<string>();
    for (const [key, names] of found) {
      const shown = [...names].flatMap((name) => pulses.get(name) ?? []);
      const known = before.get(key);
      const isSameRun = shown.every(({ name, run }) => known?.get(name)?.run === run);
      const began = known && isSameRun ? known : areNewest ? beginningWith(shown) : undefined;
      if (!began) continue;
      this.#known.set(key, began);
      const open = shown.filter((pulse) => !isCovered(began.get(pulse.name), pulse)); // `isCovered` also sets `at`
      if (open.length === 0) proven.add(key);
    }
    return proven;
  }
}

function beginningWith(pulses: readonly Pulse[]): Map<string, Began> {
  return new Map(pulses.map(({ name, run, number }) => [name, { run, number }]));
}

/** Whether this pulse shows the server as it was after the viewer had read the pulse of `began`. */
function isCovered(began: Began | undefined, { number, after, at, sources }: Pulse): boolean {
  if (!began || number === began.number) return false;
  if (after > began.number) began.at ??= at;
  const lagMs = Math.max(0, ...sources.map((source) => source.lagMs));
  return began.at !== undefined && plusMillis(redisTime(at), -lagMs) >= began.at;
}
