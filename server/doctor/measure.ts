import type { ObserveLevel } from '../../shared/base/observe-level.ts';
import type { RedisUrl } from '../../shared/base/redis-url.ts';
import {
  commandRate,
  costOfLevel,
  cpuRate,
  type LoadWindow,
  type Range,
  rangeWithout,
} from '../../shared/doctor/level-costs.ts';
import type { Costs, LevelCost } from '../../shared/wire/doctor.ts';
import { type Problem, problem } from '../../shared/wire/problems/problem.ts';
import type { SentProblem } from '../../shared/wire/problems/problem-schema.ts';
import { LoadMeter, type MeterReading, windowBetween } from './load-meter.ts';
import { ShortWatch } from './short-watch.ts';
import { priceTrouble, troubleBefore, troubleDuring, type Without } from './trouble.ts';

/** Each level is on for 1 s, twice. */
const WINDOW_MS = 1000;
export const ROUNDS = 2;
/** How often the figures of Redis are read, also while no level is on. */
const READ_EVERY_MS = 250;

/** The progress of a measurement. `level`: the level that is on; null: no level. */
type MeasureStep = { readonly level: ObserveLevel | null; readonly step: number; readonly steps: number };

type MeasureOptions = {
  readonly levels: readonly ObserveLevel[];
  readonly signal: AbortSignal;
  onStep?(step: MeasureStep): void;
};

/** The number of windows that a measurement of this many levels has. */
export function stepsOf(levels: number): number {
  return 1 + ROUNDS * levels * 2;
}

/**
 * Measures what levels cost a server: its CPU and its output with each level, compared with the time before and after.
 *
 *   off  snapshot  off  events  off  monitor  off  snapshot  off …
 *
 * A level is not switched on while Redis is in trouble, and is ended if it causes trouble. Rejects if the server cannot
 * be reached, and with the reason of `signal` if that is aborted.
 */
export async function measureCosts(server: RedisUrl, { levels, signal, onStep }: MeasureOptions): Promise<Costs> {
  const began = performance.now();
  const meter = await LoadMeter.open(server);
  const windows: LoadWindow[] = [];
  const ends = new Map<ObserveLevel, { problem: SentProblem; isRefused: boolean }>();
  const steps = stepsOf(levels.length);
  let step = 0;
  const next = (level: ObserveLevel | null) => onStep?.({ level, step: ++step, steps });
  try {
    next(null);
    let without = await withoutLevel(meter, windows, signal);
    for (let round = 0; round < ROUNDS && without; round++) {
      for (const level of levels) {
        const trouble = ends.get(level)?.problem ?? refusalBefore(level, without);
        if (trouble) {
          if (!ends.has(level)) ends.set(level, { problem: trouble, isRefused: true });
          step += 2;
          continue;
        }
        next(level);
        await withLevel({ server, level, meter, windows, ends, signal }, without);
        next(null);
        without = (await withoutLevel(meter, windows, signal)) ?? without;
      }
    }
  } finally {
    meter.close();
  }
  return {
    levels: levels.map((level) => costWithEnd(level, windows, ends.get(level))),
    commandsPerSecond: rangeWithout(windows, commandRate),
    cpuShare: rounded(rangeWithout(windows, cpuRate)),
    tookMs: Math.round(performance.now() - began),
  };
}

type Round = {
  readonly server: RedisUrl;
  readonly level: ObserveLevel;
  readonly meter: LoadMeter;
  readonly windows: LoadWindow[];
  readonly ends: Map<ObserveLevel, { problem: SentProblem; isRefused: boolean }>;
  readonly signal: AbortSignal;
};

type Quiet = Without & { readonly inputBytes: number };

function refusalBefore(level: ObserveLevel, { reading, window, inputBytes }: Quiet): Problem | undefined {
  const trouble = troubleBefore(reading, window);
  return trouble ?? (level === 'monitor' ? priceTrouble(inputBytes, window) : undefined);
}

/** A window without a level; undefined if the server reports no figures, or was started again. */
async function withoutLevel(meter: LoadMeter, windows: LoadWindow[], signal: AbortSignal): Promise<Quiet | undefined> {
  const [began, reading] = await range(meter, signal, () => false);
  const window = windowBetween(null, began, reading);
  if (!window || !began.load || !reading.load) return undefined;
  windows.push(window);
  const own = reading.load.own.bytes - began.load.own.bytes;
  return { reading, window, inputBytes: Math.max(0, reading.load.inputBytes - began.load.inputBytes - own) };
}

async function withLevel({ server, level, meter, windows, ends, signal }: Round, without: Without): Promise<void> {
  const watch = new ShortWatch(server, level);
  try {
    const refused = await watch.hasBegun(signal);
    signal.throwIfAborted();
    if (refused) return void ends.set(level, { problem: refused, isRefused: true });
    let trouble: SentProblem | undefined;
    const [began, now] = await range(meter, signal, (first, latest) => {
      const soFar = windowBetween(level, first, latest);
      trouble = watch.trouble() ?? troubleDuring(level, without, first, latest, soFar);
      return trouble !== undefined;
    });
    const window = windowBetween(level, began, now);
    if (window) windows.push(window);
    if (trouble) ends.set(level, { problem: trouble, isRefused: false });
  } finally {
    await watch.end();
  }
}

/** Reads the meter for one window, or until `isOver`. Returns the first and the last reading. */
async function range(
  meter: LoadMeter,
  signal: AbortSignal,
  isOver: (first: MeterReading, latest: MeterReading) => boolean,
): Promise<[MeterReading, MeterReading]> {
  const first = await meter.read();
  const end = performance.now() + WINDOW_MS;
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, READ_EVERY_MS));
    signal.throwIfAborted();
    const latest = await meter.read();
    if (performance.now() >= end || isOver(first, latest)) return [first, latest];
  }
}

function costWithEnd(
  level: ObserveLevel,
  windows: readonly LoadWindow[],
  end: { problem: SentProblem; isRefused: boolean } | undefined,
): LevelCost {
  const cost = costOfLevel(level, windows);
  const isOn = cost.onMs > 0;
  const verdict = end === undefined ? cost.verdict : end.isRefused && !isOn ? 'refused' : 'ended';
  const { cpuShare, outputBytesPerSecond, noiseShare } = cost;
  return {
    ...cost,
    verdict,
    cpuShare: rounded(cpuShare),
    noiseShare: noiseShare === null ? null : toFourPlaces(noiseShare),
    outputBytesPerSecond: outputBytesPerSecond && {
      low: Math.round(outputBytesPerSecond.low),
      high: Math.round(outputBytesPerSecond.high),
    },
    ...(end === undefined ? {} : { problem: end.problem }),
  };
}

/** The cost of a level that does not work here. */
export function unavailableCost(level: ObserveLevel, why: string): LevelCost {
  const nothing = { cpuShare: null, noiseShare: null, outputBytesPerSecond: null, onMs: 0 };
  return { level, verdict: 'refused', ...nothing, problem: problem('level-unavailable', { quote: why }) };
}

function rounded(range: Range | null): Range | null {
  return range && { low: toFourPlaces(range.low), high: toFourPlaces(range.high) };
}

function toFourPlaces(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}
