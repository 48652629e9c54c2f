import type { ObserveLevel } from '../base/observe-level.ts';

/** The levels that are measured. Level `replication` is experimental, and Redis would count Lockscope as a replica. */
export const MEASURED_LEVELS = ['snapshot', 'events', 'monitor'] as const satisfies readonly ObserveLevel[];

export function isMeasured(level: ObserveLevel): boolean {
  return level !== 'replication';
}

/** A range of time on one server: with a level, or without any (null). */
export type LoadWindow = {
  readonly level: ObserveLevel | null;
  readonly ms: number;
  /** CPU time of Redis; null: INFO does not report it. */
  readonly cpuSeconds: number | null;
  /** Commands of all clients, without those of the measurement. */
  readonly commands: number;
  /** Bytes that Redis sent; null: INFO does not report them. */
  readonly outputBytes: number | null;
};

export type Range = { readonly low: number; readonly high: number };
type CostVerdict = 'measured' | 'below-noise' | 'too-quiet' | 'unsteady' | 'no-figures' | 'ended' | 'refused';
type CostOfLevel = {
  readonly level: ObserveLevel;
  readonly verdict: CostVerdict;
  /** The CPU time that the level added: the lowest and the highest of the comparisons. 1 is one core. */
  readonly cpuShare: Range | null;
  readonly noiseShare: number | null;
  readonly outputBytesPerSecond: Range | null;
  readonly onMs: number;
};

/** Below this, the fixed work of a server hides what a command costs. */
const FEWEST_COMMANDS_PER_SECOND = 100;
/** If the commands a second without a level vary by more than this factor, a difference may come from the clients. */
const STEADY_FACTOR = 2;
/** Shares of a shorter time are noise. */
const SHORTEST_MS = 500;

/**
 * Compares each window at the level with the mean of the windows right before and after it, which have no level.
 *
 *   off   monitor   off   monitor   off
 *    └──── mean ────┘└──── mean ────┘
 */
export function costOfLevel(level: ObserveLevel, windows: readonly LoadWindow[]): CostOfLevel {
  const on = windows.flatMap((window, at) => (window.level === level ? [{ window, at }] : []));
  const whole = on.filter(({ window }) => window.ms >= SHORTEST_MS);
  const off = windows.filter((window) => window.level === null);
  const cpu = differences(windows, whole, cpuRate);
  const noiseShare = spreadOf(off, cpuRate);
  return {
    level,
    verdict: verdictOf(off, cpu, noiseShare),
    cpuShare: rangeOf(cpu),
    noiseShare,
    outputBytesPerSecond: rangeOf(differences(windows, whole, outputRate)),
    onMs: Math.round(on.reduce((ms, { window }) => ms + window.ms, 0)),
  };
}

/** The lowest and the highest rate of the windows without a level; null: no rate is known. */
export function rangeWithout(windows: readonly LoadWindow[], rate: (window: LoadWindow) => number | null) {
  const rates = windows.filter(({ level }) => level === null).map(rate);
  return rangeOf(rates.filter((value) => value !== null));
}

export function cpuRate({ cpuSeconds, ms }: LoadWindow): number | null {
  return cpuSeconds === null ? null : (cpuSeconds / ms) * 1000;
}

export function commandRate({ commands, ms }: LoadWindow): number {
  return (commands / ms) * 1000;
}

function outputRate({ outputBytes, ms }: LoadWindow): number | null {
  return outputBytes === null ? null : (outputBytes / ms) * 1000;
}

function verdictOf(off: readonly LoadWindow[], cpu: readonly number[], noise: number | null): CostVerdict {
  if (cpu.length === 0 || noise === null) return 'no-figures';
  const rates = off.map(commandRate);
  const [least, most] = [Math.min(...rates), Math.max(...rates)];
  if (mean(rates) < FEWEST_COMMANDS_PER_SECOND) return 'too-quiet';
  if (most > STEADY_FACTOR * Math.max(least, FEWEST_COMMANDS_PER_SECOND)) return 'unsteady';
  return mean(cpu) <= noise ? 'below-noise' : 'measured';
}

function differences(
  windows: readonly LoadWindow[],
  on: readonly { readonly window: LoadWindow; readonly at: number }[],
  rate: (window: LoadWindow) => number | null,
): number[] {
  return on.flatMap(({ window, at }) => {
    const before = windows.slice(0, at).findLast(({ level }) => level === null);
    const after = windows.slice(at + 1).find(({ level }) => level === null);
    const without = [before, after].flatMap((each) => (each ? [rate(each)] : [])).filter((value) => value !== null);
    const withLevel = rate(window);
    return withLevel === null || without.length === 0 ? [] : [withLevel - mean(without)];
  });
}

function spreadOf(windows: readonly LoadWindow[], rate: (window: LoadWindow) => number | null): number | null {
  const range = rangeOf(windows.map(rate).filter((value) => value !== null));
  return range === null ? null : range.high - range.low;
}

function rangeOf(values: readonly number[]): Range | null {
  return values.length === 0 ? null : { low: Math.min(...values), high: Math.max(...values) };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
