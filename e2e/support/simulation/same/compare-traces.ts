import { parseMonitorLine } from '../../../../shared/signals/monitor-line.ts';

/** ms: a run on a real server takes less than this, so computed times differ by less. */
const SAME_TIME_MS = 200_000;
const AN_EPOCH = 1_000_000_000_000;

/** One entry of a trace, without its time and with a letter for each address. */
type Entry = { readonly from: string; readonly words: readonly string[] };

/** Commands that are not compared: connections begin with them in any order, or they read counters. */
const NOT_COMPARED = new Set(['CLIENT', 'PING', 'INFO']);

/** Reads a trace: lines of MONITOR, and pushes. Leaves out the commands in `NOT_COMPARED`. */
export function entriesOf(trace: string): Entry[] {
  const letters = new Map<string, string>();
  const letterOf = (address: string) => {
    const known = letters.get(address) ?? String.fromCharCode(65 + letters.size);
    letters.set(address, known);
    return known;
  };
  return trace.split('\n').flatMap((line) => {
    if (line.startsWith('> ')) return [{ from: 'push', words: JSON.parse(line.slice(2)) as string[] }]; // the line is a list of texts
    const parsed = parseMonitorLine(line);
    if (!parsed.ok) throw new Error(`${parsed.error.reason}: ${line}`);
    const { client, db, words } = parsed.value;
    if (NOT_COMPARED.has(words[0] ?? '')) return [];
    return [{ from: `${db} ${client === null ? 'lua' : letterOf(client)}`, words }];
  });
}

/** The first difference between two traces, with the lines before it; undefined if they are equal. */
export function differenceOf(first: readonly Entry[], second: readonly Entry[]): string | undefined {
  const at = Array.from({ length: Math.max(first.length, second.length) }).findIndex(
    (_, n) => !isSameEntry(first[n], second[n]),
  );
  if (at === -1) return undefined;
  const shown = (entries: readonly Entry[]) =>
    entries
      .slice(Math.max(0, at - 6), at + 3)
      .map(textOf)
      .join('\n');
  return `entry ${at}:\n${shown(first)}\n\n${shown(second)}`;
}

/**
 * Moves each expiry within a script to the place before the script: a real server may have found the expired key just
 * before the script did. Returns how many were moved.
 */
export function withEarlyExpiries(entries: readonly Entry[]): { entries: Entry[]; moved: number } {
  const sorted: Entry[] = [];
  let moved = 0;
  let head = 0;
  for (const entry of entries) {
    const isInScript = entry.from === 'push' || entry.from.endsWith('lua');
    // Redis did not have the script: it is loaded and run again.
    const isAgain = entry.words[0] === 'SCRIPT' || sorted.at(-1)?.words[0] === 'SCRIPT';
    if (!isInScript && !isAgain) head = sorted.length;
    const isLate = entry.from === 'push' && entry.words.includes('expired') && sorted[head]?.words[0] === 'EVALSHA';
    if (isLate) moved++;
    sorted.splice(isLate ? head++ : sorted.length, 0, entry);
  }
  return { entries: sorted, moved };
}

/** Whether two values are equal, except for times that depend on how long a run took. */
export function isSameValue(first: unknown, second: unknown): boolean {
  if (Array.isArray(first) && Array.isArray(second)) {
    return first.length === second.length && first.every((each, n) => isSameValue(each, second[n]));
  }
  if (first === second) return true;
  const [left, right] = [Number(String(first).replace(/^:/, '')), Number(String(second).replace(/^:/, ''))];
  if (first === null || second === null || Number.isNaN(left) || Number.isNaN(right)) return false;
  const areTimes = Math.min(Math.abs(left), Math.abs(right)) > 1000;
  // The model has a different clock.
  return areTimes && (Math.abs(left - right) < SAME_TIME_MS || (left > AN_EPOCH && right > AN_EPOCH));
}

function isSameEntry(first: Entry | undefined, second: Entry | undefined): boolean {
  return (
    first !== undefined && second !== undefined && first.from === second.from && isSameValue(first.words, second.words)
  );
}

function textOf({ from, words }: Entry): string {
  return `${from}: ${words.join(' · ').slice(0, 200)}`;
}
