import { LEVEL_COSTS } from '../../../shared/base/level-costs.ts';
import type { Load } from './redis-load.ts';

/**
 * What MONITOR costs Redis's main thread, as measured on Redis 7.0: it formats and copies each byte of each command.
 */
const SECONDS_PER_COMMAND = 1e-6;
const SECONDS_PER_BYTE = 66e-9;

/** Below this many commands a second the fixed work of a server hides what a command costs. */
const FEWEST_TO_LEARN = 1000;
/** Below this share the difference between two CPU figures is noise. */
const SMALLEST_TO_LEARN = 0.02;
const LEAST_FACTOR = 0.1;
const MOST_FACTOR = 10;
/** The weight of the newest measurement. */
const WEIGHT = 0.3;

/** MONITOR may take this share of a core by itself. */
const MOST_MONITOR_SHARE = LEVEL_COSTS.monitor.refusedAbove / 100;
/** Redis may use this share of its main thread together with MONITOR: what is left absorbs a burst. */
export const MOST_REDIS_SHARE = 0.6;
/** If MONITOR takes less than this share, something else makes Redis busy. */
export const SMALL_SHARE = 0.05;

type MonitorPrice = {
  /** Share of one core; may be above 1, which Redis cannot give. */
  readonly costShare: number;
  readonly basis: 'estimated' | 'measured';
};

/**
 * The price of MONITOR on one server. It begins as an estimate, and is corrected by what the server really spent.
 *
 *   without MONITOR   CPU a command, when ≥ 1000 a second          ─┐
 *   with MONITOR      CPU a command − that = measured cost           ├─► factor = measured / estimated
 */
export class MonitorPrices {
  #factor: number | undefined;
  #without: { readonly cpuPerCommand: number; readonly bytesPerCommand: number } | undefined;

  /** Takes one second's load, with MONITOR on or off. */
  learn(load: Load, isOn: boolean): void {
    const { opsPerSecond, redisCpuShare } = load;
    if (redisCpuShare === null || opsPerSecond < FEWEST_TO_LEARN) return;
    const cpuPerCommand = redisCpuShare / opsPerSecond;
    const bytesPerCommand = load.inputBytesPerSecond / opsPerSecond;
    if (!isOn) {
      this.#without = { cpuPerCommand, bytesPerCommand };
      return;
    }
    const estimated = estimateOf(load);
    if (!this.#without || estimated < SMALLEST_TO_LEARN) return;
    const ratio = bytesPerCommand / this.#without.bytesPerCommand;
    if (ratio > 2 || ratio < 0.5) return; // another mix of commands: their own cost is unknown
    const measured = redisCpuShare - this.#without.cpuPerCommand * opsPerSecond;
    const factor = Math.min(MOST_FACTOR, Math.max(LEAST_FACTOR, measured / estimated));
    this.#factor = this.#factor === undefined ? factor : this.#factor + WEIGHT * (factor - this.#factor);
  }

  /** The share that MONITOR takes, or would take, at this load. */
  of(load: Load): MonitorPrice {
    const basis = this.#factor === undefined ? 'estimated' : 'measured';
    return { costShare: estimateOf(load) * (this.#factor ?? 1), basis };
  }
}

function estimateOf({ opsPerSecond, inputBytesPerSecond }: Load): number {
  return opsPerSecond * SECONDS_PER_COMMAND + inputBytesPerSecond * SECONDS_PER_BYTE;
}

/** Whether MONITOR is too costly here. `isOn`: MONITOR runs now, so `redisCpuShare` includes its cost. */
export function isOverBudget(costShare: number, redisCpuShare: number | null, isOn: boolean): boolean {
  if (costShare > MOST_MONITOR_SHARE) return true;
  if (costShare <= SMALL_SHARE) return false;
  return (redisCpuShare ?? 0) + (isOn ? 0 : costShare) > MOST_REDIS_SHARE;
}
