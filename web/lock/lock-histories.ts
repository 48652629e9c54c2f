import type { Span } from '../../shared/wire/http.ts';

/** Statistics of all holds, or all waits, of a lock. */
export type History = {
  /** Lengths in ms of the spans whose start and end were seen. */
  readonly lengthsMs: readonly number[];
  /** How spans ended whose end was seen, the most frequent reason first. */
  readonly ends: readonly { readonly how: string; readonly count: number }[];
  /** Number of spans that have not ended. */
  readonly open: number;
  /** Number of spans of unknown length: their start or end was not seen. */
  readonly unmeasured: number;
};

/** Computes the history of all holds, or all waits, among the spans of one lock. */
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
    // after a blind spot, a span whose end was not seen may still go on
    const isEndSeen = span.ended !== 'unseen';
    if (isEndSeen) counts.set(span.ended, (counts.get(span.ended) ?? 0) + 1);
    if (isEndSeen && !span.openStart) lengthsMs.push(Math.max(0, span.to - span.from) / 1000);
    else unmeasured++;
  }
  const ends = [...counts].map(([how, count]) => ({ how, count })).sort((a, b) => b.count - a.count);
  return { lengthsMs, ends, open, unmeasured };
}

/** Returns the spans that had begun at an instant. Spans that ended after the instant are returned as open. */
export function spansUntil(spans: readonly Span[], at: number): Span[] {
  const begun = spans.filter(({ from }) => from <= at);
  return begun.map((span) => (span.to !== null && span.to > at ? { ...span, to: null, ended: null } : span));
}
