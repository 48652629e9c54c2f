import type { LineSignal } from '../../shared/signals/signal.ts';

/**
 * A line of a text, or a place where lines were lost. `length`: its characters; `width`: the characters of the whole
 * line in the file.
 */
export type TextLine =
  | { readonly parsed: LineSignal; readonly number: number; readonly length: number; readonly width: number }
  | 'lost';

/**
 * A step back in time of more than this, in µs, begins another capture. A clock that is set back usually makes a
 * shorter step.
 */
const STEP = 1_000_000;

type Capture = { readonly lines: TextLine[]; readonly from: number; to: number };

/** The lines of a text in the order of time. `doubles`: the number of lines that were in two captures. */
type Ordered = { readonly lines: readonly TextLine[]; readonly hasMoved: boolean; readonly doubles: number };

/**
 * Sorts the captures of a text by time. Between two of them, lines may be missing, unless the later capture begins with
 * the last lines of the earlier capture. Returns `undefined` if there is only one, or if two of them overlap in time in
 * another way.
 *
 *   10:05 … 10:07   10:00 … 10:02     ─►   10:00 … 10:02   lost   10:05 … 10:07
 *   10:00 … 10:02   10:01 … 10:03     ─►   10:00 … 10:03
 */
export function inOrderOfTime(lines: readonly TextLine[]): Ordered | undefined {
  const captures = capturesIn(lines);
  if (captures.length < 2) return undefined;
  const sorted = captures.toSorted((a, b) => a.from - b.from);
  const all: TextLine[] = [];
  let to = -1;
  let doubles = 0;
  for (const capture of sorted) {
    const shared = capture.from <= to ? sharedLines(all, capture.lines) : 0;
    if (shared === undefined) return undefined;
    if (all.length > 0 && shared === 0) all.push('lost');
    for (const line of capture.lines.slice(shared)) all.push(line);
    doubles += shared;
    to = Math.max(to, capture.to);
  }
  return { lines: all, hasMoved: sorted.some((capture, n) => capture !== captures[n]), doubles };
}

/**
 * The number of lines that end one capture and also begin the next. Undefined: from the first line that is equal to the
 * first line of `next`, the lines differ, or there is no such line.
 */
function sharedLines(before: readonly TextLine[], next: readonly TextLine[]): number | undefined {
  const at = before.findIndex((line) => isSameLine(line, next[0]));
  const count = before.length - at;
  const isShared = at >= 0 && before.slice(at).every((line, n) => n >= next.length || isSameLine(line, next[n]));
  return isShared ? Math.min(count, next.length) : undefined;
}

export function isSameLine(first: TextLine | undefined, second: TextLine | undefined): boolean {
  if (!first || !second || first === 'lost' || second === 'lost') return false;
  const [a, b] = [first.parsed, second.parsed];
  const isSame = a.at === b.at && a.client === b.client && a.db === b.db && a.words.length === b.words.length;
  return isSame && a.words.every((word, n) => word === b.words[n]);
}

function capturesIn(lines: readonly TextLine[]): Capture[] {
  const captures: Capture[] = [];
  for (const line of lines) {
    const open = captures.at(-1);
    const at = line === 'lost' ? open?.to : line.parsed.at;
    if (at === undefined) continue; // before the first line, nothing is lost
    if (!open || at < open.to - STEP) captures.push({ lines: [line], from: at, to: at });
    else {
      open.lines.push(line);
      open.to = Math.max(open.to, at);
    }
  }
  return captures;
}
