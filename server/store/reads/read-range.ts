import { gunzipSync } from 'node:zlib';
import type { Part, RangeQuery, StoredRange } from '../parts.ts';
import type { CheckpointRow, RunRow, Tables } from '../tables.ts';

/** Blocks that are read at once. */
const BLOCKS = 64;

/**
 * Reads what is needed to show a stream from `from` to `to`; `undefined` if nothing until `to` is stored. `openRun`:
 * the run that is being written, which has no end yet.
 */
export async function readRange(
  tables: Tables,
  { source, from, to, most }: RangeQuery,
  openRun?: number,
): Promise<StoredRange | undefined> {
  let last: number | undefined;
  const runs = await tables.runs(source);
  const first = Math.max(
    0,
    runs.findLastIndex(({ beganAt }) => beganAt <= from),
  );
  const parts: Part[] = [];
  let known: number | undefined;
  let after: StoredRange['after'];
  let lines = 0;
  let endOfBefore = first > 0 ? await tables.endOf(source, runs[first - 1]?.run ?? 0) : undefined;
  for (const run of runs.slice(first)) {
    const begin = await beginOf(tables, run, from);
    if (!begin) continue;
    let { afterSeq } = begin;
    const [firstBlock] = await tables.blocks(source, run.run, afterSeq, to, 1);
    if (!firstBlock && !begin.seed) continue;
    parts.push({ kind: 'run', gap: run.gap, beganAt: run.beganAt, endOfBefore });
    const { seed } = begin;
    if (seed) parts.push({ kind: 'checkpoint', at: seed.at, text: textOf(seed.bytes) });
    let end = seed?.at ?? run.beganAt;
    let isHole = false;
    if (known === undefined && seed) after = { run: run.run, seq: seed.seq };
    known ??= seed?.at ?? run.beganAt;
    for (let isMore = true; isMore; ) {
      const blocks = await tables.blocks(source, run.run, afterSeq, to, BLOCKS);
      for (const { firstSeq, lastSeq, fromAt, toAt, bytes } of blocks) {
        if (firstSeq > afterSeq + 1) {
          // lines are missing that a bus dropped: the state is known again from the next checkpoint on
          parts.push({ kind: 'run', gap: 'not-stored', beganAt: Math.max(end, fromAt), endOfBefore: end });
          isHole = true;
        }
        parts.push({ kind: 'block', text: textOf(bytes) });
        const again = isHole ? await tables.checkpointOn(source, run.run, lastSeq) : undefined;
        if (again) parts.push({ kind: 'checkpoint', at: again.at, text: textOf(again.bytes) });
        if (again) isHole = false;
        end = Math.max(end, toAt);
        lines += lastSeq - firstSeq + 1;
        afterSeq = lastSeq;
        if (lines > most && toAt < to) return rangeOf(toAt);
      }
      isMore = blocks.length === BLOCKS;
    }
    endOfBefore = await tables.endOf(source, run.run);
    last = run.run;
  }
  if (known === undefined) return undefined;
  if (endOfBefore === undefined || endOfBefore >= to) return rangeOf(to);
  if (last === openRun) return rangeOf(endOfBefore);
  parts.push({ kind: 'end', at: endOfBefore });
  // The run that is being written has begun, but nothing of it is stored yet.
  const open = runs.find(({ run, beganAt }) => run === openRun && beganAt <= to);
  return rangeOf(open ? Math.max(known, open.beganAt - 1) : to);

  function rangeOf(end: number): StoredRange {
    return { parts, from: known ?? end, to: end, ...(after ? { after } : undefined) };
  }
}

/**
 * The place in a run from which its state at `from` can be computed. If that part was dropped, the first later place at
 * which the state is known; `undefined` if there is no such place.
 */
async function beginOf(
  tables: Tables,
  { source, run, beganAt }: RunRow,
  from: number,
): Promise<{ readonly seed?: CheckpointRow; readonly afterSeq: number } | undefined> {
  const firstSeq = await tables.firstSeq(source, run);
  const seed = await tables.checkpointAt(source, run, Math.max(from, beganAt)); // a run after a failure begins with one
  if (seed) return { seed, afterSeq: seed.seq };
  if (firstSeq === undefined || firstSeq === 1) return { afterSeq: 0 };
  // What was before the first checkpoint has been dropped: the state is known only from there on.
  const later = await tables.checkpointAfter(source, run, firstSeq - 1);
  return later && { seed: later, afterSeq: later.seq };
}

function textOf(bytes: Uint8Array): string {
  return gunzipSync(bytes).toString();
}
