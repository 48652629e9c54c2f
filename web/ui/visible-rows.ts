import { type RefObject, useCallback, useLayoutEffect, useReducer, useRef } from 'react';
import { flushSync } from 'react-dom';

/** Rows rendered above and below the visible ones. */
const SPARE_ROWS = 12;
/** For so long, a row that was scrolled to stays in sight while the rows around it are measured. */
const SETTLES_MS = 200;

/** Where each row of a table begins, in px below the first one: rows not measured yet have the usual height. */
export class RowPlaces {
  readonly #heights = new Map<string | number, number>();
  #starts = new Float64Array(1);
  #of: unknown;
  #usual = 0;

  /** Places `count` rows. Rows that are the same `of` as before, and have the same heights, keep their places. */
  place(of: unknown, count: number, keyOf: (index: number) => string | number, usual: number): void {
    if (this.#of === of && this.#usual === usual && this.#starts.length === count + 1) return;
    this.#of = of;
    this.#usual = usual;
    this.#starts = new Float64Array(count + 1);
    let start = 0;
    for (let index = 0; index < count; index++) {
      start += this.#heights.size === 0 ? usual : (this.#heights.get(keyOf(index)) ?? usual);
      this.#starts[index + 1] = start;
    }
  }

  /** Notes the height of a row. Returns how much more that is than it was taken for. */
  measure(key: string | number, index: number, height: number): number {
    const more = height - (this.startOf(index + 1) - this.startOf(index));
    if (Math.abs(more) < 0.5) return 0;
    this.#heights.set(key, height);
    this.#of = undefined;
    return more;
  }

  startOf(index: number): number {
    return this.#starts[index] ?? 0;
  }

  get height(): number {
    return this.#starts.at(-1) ?? 0;
  }

  /** The index of the row at a distance from the first one; the last row if it is farther. */
  indexAt(px: number): number {
    let [low, high] = [0, Math.max(0, this.#starts.length - 2)];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.startOf(middle) <= px) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

type Rows = {
  readonly scroller: RefObject<HTMLElement | null>;
  /** Equal while the rows and their order are the same. */
  readonly of: unknown;
  readonly count: number;
  readonly keyOf: (index: number) => string | number;
  /** The height of most rows, in px. */
  readonly usual: number;
  /** True while the last rows are shown, whichever they are: only how many are in sight matters. */
  readonly isAtEnd: boolean;
};

export type VisibleRows = {
  /** Indexes of the first and the last row in sight, with some around them; the last is below the first if no row is in sight. */
  readonly first: number;
  readonly last: number;
  /** How many rows are in sight. */
  readonly inSight: number;
  readonly places: RowPlaces;
  /** The `ref` of each row that is to be measured. It needs its index as `data-index`. */
  readonly measure: (row: HTMLElement | null) => (() => void) | undefined;
  /** Scrolls as little as possible until a row is in sight. */
  readonly show: (index: number) => void;
};

/** Returns which rows of a long table are in sight. The component renders again when that changes. */
export function useVisibleRows({ scroller, of, count, keyOf, usual, isAtEnd }: Rows): VisibleRows {
  const [, render] = useReducer((n: number) => n + 1, 0);
  const places = useRef(new RowPlaces()).current;
  places.place(of, count, keyOf, usual);
  const seen = useRef({ first: 0, last: -1 });
  const now = useRef({ count, keyOf, isAtEnd }).current;
  Object.assign(now, { count, keyOf, isAtEnd });

  const look = useCallback(() => {
    const element = scroller.current;
    if (!element) return false;
    const top = element.scrollTop;
    const before = seen.current;
    const [first, last] = [places.indexAt(top), places.indexAt(top + element.clientHeight)];
    seen.current = { first, last };
    const isSamePart = now.isAtEnd ? last - first === before.last - before.first : first === before.first;
    return !isSamePart || (!now.isAtEnd && last !== before.last);
  }, [scroller, places, now]);

  /** Scrolls as little as possible until a row is in sight. */
  const scrollTo = useCallback(
    (index: number) => {
      const element = scroller.current;
      const body = element?.querySelector<HTMLElement>('tbody');
      if (!element || !body) return;
      const head = body.offsetTop;
      const [top, bottom] = [places.startOf(index), head + places.startOf(index + 1)];
      if (top < element.scrollTop || bottom - top > element.clientHeight) element.scrollTop = top;
      else if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight;
    },
    [scroller, places],
  );
  const wanted = useRef({ index: -1, until: 0 });

  const observer = useRef<ResizeObserver | null>(null);
  const observe = useCallback(() => {
    observer.current ??= new ResizeObserver((entries) => {
      const element = scroller.current;
      if (!element) return;
      let [isChanged, above] = [false, 0];
      for (const { target, borderBoxSize } of entries) {
        const index = Number((target as HTMLElement).dataset.index ?? -1); // only rows and the scroller are observed
        if (target === element || index < 0 || index >= now.count || !target.isConnected) continue;
        const more = places.measure(now.keyOf(index), index, borderBoxSize[0]?.blockSize ?? 0);
        if (more !== 0) isChanged = true;
        if (places.startOf(index) < element.scrollTop) above += more;
      }
      if (isChanged || look()) flushSync(render); // before this frame is painted
      if (above !== 0) element.scrollTop += above; // what the reader looks at stays where it is
      // the row that was just asked for is elsewhere than expected
      if (isChanged && performance.now() < wanted.current.until) scrollTo(wanted.current.index);
    });
    return observer.current;
  }, [scroller, places, look, scrollTo, now]);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const onScroll = () => {
      if (look()) render();
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    observe().observe(element);
    return () => {
      element.removeEventListener('scroll', onScroll);
      observer.current?.disconnect();
      observer.current = null;
    };
  }, [scroller, look, observe]);

  // other rows, or other heights: other rows are in sight
  useLayoutEffect(() => {
    const isKnown = isAtEnd && seen.current.last >= 0;
    if (!isKnown && look()) render();
  });

  const measure = useCallback(
    (row: HTMLElement | null) => {
      if (!row) return undefined;
      const rows = observe();
      rows.observe(row);
      return () => rows.unobserve(row);
    },
    [observe],
  );

  const show = useCallback(
    (index: number) => {
      wanted.current = { index, until: performance.now() + SETTLES_MS };
      scrollTo(index);
      if (look()) render();
    },
    [scrollTo, look],
  );

  const { first, last } = seen.current;
  return {
    first: Math.max(0, Math.min(first, count - 1) - SPARE_ROWS),
    last: Math.min(count - 1, last + SPARE_ROWS),
    inSight: last - first + 1,
    places,
    measure,
    show,
  };
}
