import { z } from 'zod';
import type { BenchReport } from './bench.ts';

/** A ratio that differs from the recorded one by up to this share counts as the same: runs differ by about as much. */
const TOLERANCE = 0.15;

/** `bench/recorded.json`: for each bench, the ratio of its last recorded run. */
export const RecordedSchema = z.object({
  v: z.literal(1),
  benches: z.record(
    z.string(),
    z.object({
      /** Day of the run, UTC. */
      on: z.iso.date(),
      ratio: z.number(),
      ratioTo: z.string(),
      /** The lowest and the highest ratio of a round. */
      spread: z.tuple([z.number(), z.number()]),
    }),
  ),
});

export type Recorded = z.infer<typeof RecordedSchema>;

export type Compared = {
  readonly name: string;
  readonly verdict: 'same' | 'better' | 'worse' | 'not recorded';
  readonly before?: number;
  readonly now: number;
};

/** The record with these results in place of older ones of the same benches. `on`: day of the run, `2026-11-25`. */
export function recordedWith(recorded: Recorded, reports: readonly BenchReport[], on: string): Recorded {
  const benches = { ...recorded.benches };
  for (const { name, ratio, ratioTo, ratios } of reports)
    benches[name] = { on, ratio, ratioTo, spread: spreadOf(ratio, ratios) };
  return { v: 1, benches };
}

/**
 * Compares the ratios of a run with the recorded ones. A ratio is worse, or better, if it differs by more than 15 % and
 * the ranges of the ratios of their rounds do not overlap. Ratios to different peers are not comparable: then the
 * verdict is `not recorded`.
 */
export function comparedWith(
  recorded: Recorded,
  reports: readonly BenchReport[],
  isMoreBetter: (name: string) => boolean,
): Compared[] {
  return reports.map(({ name, ratio: now, ratioTo, ratios }) => {
    const known = recorded.benches[name];
    if (!known || known.ratioTo !== ratioTo) return { name, verdict: 'not recorded', now };
    const { ratio: before, spread } = known;
    const [low, high] = spreadOf(now, ratios);
    const isApart = low > spread[1] || high < spread[0];
    if (!isApart || Math.abs(now - before) <= TOLERANCE * before) return { name, verdict: 'same', before, now };
    return { name, verdict: now > before === isMoreBetter(name) ? 'better' : 'worse', before, now };
  });
}

/**
 * The text of a record, with the two numbers of a spread on one line, as the formatter of this repository writes them.
 */
export function textFromRecorded(recorded: Recorded): string {
  const text = JSON.stringify(recorded, null, 2);
  return `${text.replace(/\[\s+(\S+),\s+(\S+)\s+\]/g, '[$1, $2]')}\n`;
}

function spreadOf(ratio: number, ratios: readonly number[] = []): [number, number] {
  return [Math.min(ratio, ...ratios), Math.max(ratio, ...ratios)];
}
