import type { Span } from '../../shared/wire/http.ts';

/** What one kind of spans of a lock comes to. */
export type History = {
  /** Of spans whose beginning and end were seen, in ms. */
  readonly lengthsMs: readonly number[];
  /** How they ended, most frequent first. */
  readonly ends: readonly { readonly how: string; readonly count: number }[];
  /** Not ended yet. */
  readonly open: number;
  /** Over, but nobody saw how long they were. */
  readonly unmeasured: number;
};

/** The holds, or the waits, of one lock counted: a length only where both ends were seen. */
export function historyFromSpans(spans: readonly Span[], kind: Span['kind']): History {
  const lengthsMs: number[] = [];
  const counts = new Map<string, number>();
  let open = 0;
  let unmeasured = 0;
  for (const span of spans) {
    if (span.kind !== kind) continue;
    if (span.to === null || span.ended === null) {
      open++;
      continue;
    }
    counts.set(span.ended, (counts.get(span.ended) ?? 0) + 1);
    if (span.openStart || span.ended === 'unseen') unmeasured++;
    else lengthsMs.push(Math.max(0, span.to - span.from) / 1000);
  }
  const ends = [...counts].map(([how, count]) => ({ how, count })).sort((a, b) => b.count - a.count);
  return { lengthsMs, ends, open, unmeasured };
}

/** Spans as they were at an instant: later ones are left out, and those that ended later went on. */
export function spansUntil(spans: readonly Span[], at: number): Span[] {
  const begun = spans.filter(({ from }) => from <= at);
  return begun.map((span) => (span.to !== null && span.to > at ? { ...span, to: null, ended: null } : span));
}
