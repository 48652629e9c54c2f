import type { LineSignal } from '../../shared/signals/signal.ts';

/** A line of a text, with its length in letters and that of the line of the file, or a place where lines were lost. */
export type TextLine =
  | { readonly parsed: LineSignal; readonly number: number; readonly length: number; readonly width: number }
  | 'lost';

/** A step back in time of more than this, in µs, begins another capture. A clock that is set back makes shorter ones. */
const STEP = 1_000_000;

type Capture = { readonly lines: TextLine[]; readonly from: number; to: number };

/**
 * Sorts the captures of a text by time. Between two of them, lines may be missing. Returns `undefined` if there is only one, or
 * if two of them overlap in time.
 *
 *   10:05 … 10:07   10:00 … 10:02     ─►   10:00 … 10:02   lost   10:05 … 10:07
 */
export function inOrderOfTime(lines: readonly TextLine[]): readonly TextLine[] | undefined {
  const captures = capturesIn(lines);
  if (captures.length < 2) return undefined;
  captures.sort((a, b) => a.from - b.from);
  if (captures.some(({ from }, n) => from <= (captures[n - 1]?.to ?? -1))) return undefined;
  return captures.flatMap((capture, n): TextLine[] => (n === 0 ? capture.lines : ['lost', ...capture.lines]));
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
