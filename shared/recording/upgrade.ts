import { FORMAT } from './format.ts';

/**
 * One step per old format: turns a line of format `n` (header, signal or end alike) into one of format `n + 1`.
 *
 * A change of format adds its step here, and an old file to `shared/traces/recordings` that must always open.
 */
const UPGRADES: ReadonlyMap<number, (line: unknown) => unknown> = new Map();

/** Returns a line of an older format as this format would have written it. Throws if an upgrade step is missing. */
export function upgraded(line: unknown, format: number, upgrades = UPGRADES, to: number = FORMAT): unknown {
  let current = line;
  for (let from = format; from < to; from++) {
    const upgrade = upgrades.get(from);
    if (!upgrade) throw new Error(`no upgrade from format ${from}`);
    current = upgrade(current);
  }
  return current;
}
