import type { LockEvent } from '../../../shared/events/event.ts';
import type { Beat } from '../beats/beats-from-events.ts';

/**
 * One instant in the lens, in µs after the first mark. `known` is its source: the Redis line itself, or the event.
 */
export type LensMark = {
  readonly what: 'del' | 'publish' | 'eval' | 'granted';
  readonly micros: number;
  readonly known: 'line' | 'event';
};

/** The content of the time lens: its marks, the time they span in µs, and how many times slower it plays. */
type LensView = { readonly marks: readonly LensMark[]; readonly micros: number; readonly factor: number };

/** Round factors, each 2 or 2.5 times the factor before it. */
const FACTORS = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000];
/** The marks are played within this much screen time, if the smallest factor is not too large for that. */
const LONGEST_PLAY_MS = 1900;

/**
 * The last instants before a waiter acquired the lock. Marks that are in neither lines nor events are left out.
 *
 *   A   del · publish
 *   B                  EVAL · acquired
 */
export function lensFromLines(
  lens: NonNullable<Beat['lens']>,
  events: readonly LockEvent[],
  linesOf: (seq: number) => readonly string[],
): LensView {
  const at = (seq: number | null) => events.find((event) => event.seq === seq)?.at ?? null;
  const releaseLines = lens.release === null ? [] : linesOf(lens.release);
  const acquireLines = linesOf(lens.granted);
  const found: { what: LensMark['what']; at: number | null; known: LensMark['known'] }[] = [
    { what: 'del', at: timeOf(releaseLines, /^"(del|unlink)"/i), known: 'line' },
    ...either('publish', timeOf(releaseLines, /^"s?publish"/i), at(lens.message)),
    { what: 'eval', at: timeOf(acquireLines, /^"(eval|evalsha|fcall)"/i), known: 'line' },
    ...either('granted', timeOf(acquireLines, /^"(hincrby|hset|set|decrby)"/i), at(lens.granted)),
  ];
  const known = found.flatMap((mark) => (mark.at === null ? [] : [{ ...mark, at: mark.at }]));
  const first = Math.min(...known.map((mark) => mark.at));
  const marks = known.map(({ what, at: micros, known }) => ({ what, micros: micros - first, known }));
  const micros = Math.max(1, ...marks.map((mark) => mark.micros));
  const factor = FACTORS.findLast((wanted) => (micros / 1000) * wanted <= LONGEST_PLAY_MS) ?? FACTORS[0] ?? 10;
  return { marks, micros, factor };
}

function either(what: LensMark['what'], line: number | null, event: number | null) {
  return [{ what, at: line ?? event, known: line === null ? ('event' as const) : ('line' as const) }];
}

/** When a command ran, by the first line that begins with it: `1795239608.518942 [0 lua] "del" …`. */
function timeOf(lines: readonly string[], command: RegExp): number | null {
  for (const line of lines) {
    const found = /^(\d+)\.(\d{6}) \[[^\]]*\] (".*)$/s.exec(line);
    if (found && command.test(found[3] ?? '')) return Number(found[1]) * 1_000_000 + Number(found[2]);
  }
  return null;
}
