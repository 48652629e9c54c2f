import { setTimeout } from 'node:timers/promises';
import type { Observatory } from '../watch/observatory.ts';
import { LineReport } from './lines/line-report.ts';
import { textOfLine } from './lines/text-of-line.ts';
import type { Looker } from './look.ts';

/** Lines are written at most once in this time. */
const EVERY_MS = 1000;
/** Locks beyond these are not counted as waited for. */
const MOST_LOCKS = 1000;

type Parts = {
  readonly looker: Pick<Looker, 'look'>;
  readonly observatory: Pick<Observatory, 'insights'>;
  readonly isJson: boolean;
  write(text: string): void;
};

export type Ends = {
  /** Everything ends at once. */
  readonly now: AbortSignal;
  /** The time is over: what changed since the last look is still written. */
  readonly timeOver: AbortSignal;
  /** Aborts with the first of `now` and `timeOver`. */
  readonly any: AbortSignal;
};

/** Writes a line for each change, until the time is over. Throws when `now` aborts. */
export async function showLines({ looker, observatory, isJson, write }: Parts, ends: Ends): Promise<void> {
  const { now, timeOver, any } = ends;
  const report = new LineReport();
  for (;;) {
    const isLast = timeOver.aborted;
    const sight = await looker.look({ filter: '', most: MOST_LOCKS, opened: null }, now);
    const lines = report.take(sight, await observatory.insights({}, now));
    const texts = lines.map((line) => `${isJson ? JSON.stringify(line) : textOfLine(line)}\n`);
    if (texts.length > 0) write(texts.join(''));
    if (isLast) return;
    await setTimeout(EVERY_MS, undefined, { signal: any }).catch(() => {});
    now.throwIfAborted();
  }
}
