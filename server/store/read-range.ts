import { gunzipSync } from 'node:zlib';
import type { Part, RangeQuery, StoredRange } from './parts.ts';
import type { CheckpointRow, RunRow, Tables } from './tables.ts';

/** Blocks that are read at once. */
const BLOCKS = 64;

/** Where reading begins in a run: `early` is for the interpreter, `seed` for the state. Without `seed`: at the beginning of the run. */
type Begin = {
  readonly early?: CheckpointRow | undefined;
  readonly seed?: CheckpointRow | undefined;
  readonly afterSeq: number;
};

/** Reads what is needed to show a source from `from` to `to`; `undefined` if nothing of that is stored. */
export function readRange(tables: Tables, { source, from, to, most }: RangeQuery): StoredRange | undefined {
  const runs = tables.runs(source).filter(({ beganAt }) => beganAt <= to);
  const first = Math.max(
    0,
    runs.findLastIndex(({ beganAt }) => beganAt <= from),
  );
  const parts: Part[] = [];
  let [known, read, signals] = [undefined as number | undefined, from, 0];
  let endOfBefore = first > 0 ? tables.endOf(source, runs[first - 1]?.run ?? 0) : undefined;
  for (const run of runs.slice(first)) {
    const begin = beginOf(tables, run, from);
    if (!begin) continue;
    const { early, seed } = begin;
    parts.push({ kind: 'run', header: run.header, gap: run.gap, endOfBefore });
    if (early) parts.push(checkpointPart(early, true));
    let afterSeq = begin.afterSeq;
    let isSeeded = seed === undefined;
    known ??= seed?.at ?? run.beganAt;
    for (;;) {
      const blocks = tables.blocks(source, run.run, afterSeq, to, BLOCKS);
      for (const { firstSeq, lastSeq, fromAt, toAt, bytes } of blocks) {
        if (seed && !isSeeded && firstSeq > seed.seq) {
          parts.push(checkpointPart(seed, false));
          isSeeded = true;
        }
        parts.push({ kind: 'block', fromAt, toAt, text: gunzipSync(bytes).toString() });
        signals += lastSeq - firstSeq + 1;
        afterSeq = lastSeq;
        read = Math.max(read, toAt);
        if (isSeeded && signals > most) return { parts, from: known, to: toAt };
      }
      if (blocks.length < BLOCKS) break;
    }
    if (seed && !isSeeded) parts.push(checkpointPart(seed, false));
    endOfBefore = tables.endOf(source, run.run);
    if (endOfBefore !== undefined && endOfBefore < to) parts.push({ kind: 'end', at: endOfBefore });
  }
  return known === undefined ? undefined : { parts, from: known, to: Math.max(read, to) };
}

/** The places in a run from which its state at `from` can be made; `undefined` if that part was dropped. */
function beginOf(tables: Tables, { source, run, beganAt }: RunRow, from: number): Begin | undefined {
  const firstSeq = tables.firstSeq(source, run);
  if (firstSeq === undefined) return beganAt <= from ? { afterSeq: 0 } : undefined;
  const seed = tables.checkpointAt(source, run, from);
  if (!seed && firstSeq === 1) return { afterSeq: 0 };
  // What was before the first checkpoint has been dropped: the state is known only from there on.
  const found = seed ?? tables.checkpointBeside(source, run, firstSeq - 1, 'from');
  if (!found) return undefined;
  const early = tables.checkpointBeside(source, run, found.seq, 'before');
  if (early && early.seq >= firstSeq - 1) return { early, seed: found, afterSeq: early.seq };
  if (!early && firstSeq === 1) return { seed: found, afterSeq: 0 };
  return { early: found, seed: found, afterSeq: found.seq };
}

/** A checkpoint as it is written: the lines of beliefs, an empty line, and the state. */
function checkpointPart({ at, nextEvent, bytes }: CheckpointRow, isEarly: boolean): Part {
  const text = gunzipSync(bytes).toString();
  const end = text.indexOf('\n\n');
  return { kind: 'checkpoint', at, nextEvent, beliefs: text.slice(0, end + 1), state: text.slice(end + 2), isEarly };
}
