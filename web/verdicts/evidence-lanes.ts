import { groupedBy } from '../../shared/base/grouped-by.ts';
import type { Span } from '../../shared/wire/http.ts';

/** A hold or a wait in the picture, from 0 (left edge) to 1. */
type Bar = {
  readonly kind: Span['kind'];
  readonly from: number;
  readonly to: number;
  /** The hold ended because its lease expired. */
  readonly isExpired: boolean;
};
/** What one thread did with one lock. */
export type Lane = {
  readonly key: string;
  readonly bars: readonly Bar[];
  /** The problem is about this thread. */
  readonly isNamed: boolean;
};

/** More lanes would be too thin to be seen. */
const MOST_LANES = 5;

/**
 * Returns the lanes of a small picture: the threads of the problem first, then other threads in the order of their
 * first span.
 */
export function evidenceLanes(
  spans: readonly Span[],
  holders: readonly string[],
  view: { readonly from: number; readonly to: number },
): Lane[] {
  const seen = spans.filter(({ from, to }) => from < view.to && (to ?? view.to) > view.from);
  const inOrder = seen.sort((a, b) => a.from - b.from);
  const lanes = groupedBy(inOrder, ({ lock, holder }) => `${lock}\n${holder}`);
  const placeOf = (key: string) => {
    const place = holders.indexOf(key.slice(key.indexOf('\n') + 1));
    return place === -1 ? holders.length : place;
  };
  const keys = [...lanes.keys()].sort((a, b) => placeOf(a) - placeOf(b)).slice(0, MOST_LANES);
  return keys.map((key) => ({
    key,
    bars: (lanes.get(key) ?? []).map((span) => barOf(span, view)),
    isNamed: placeOf(key) < holders.length,
  }));
}

function barOf(span: Span, view: { readonly from: number; readonly to: number }): Bar {
  const length = view.to - view.from;
  const place = (at: number) => Math.max(0, Math.min(1, (at - view.from) / length));
  return {
    kind: span.kind,
    from: place(span.from),
    to: span.to === null ? 1 : place(span.to),
    isExpired: span.kind === 'hold' && span.ended === 'expired',
  };
}
