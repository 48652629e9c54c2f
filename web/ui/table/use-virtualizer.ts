import { useLayoutEffect, useReducer, useRef } from 'react';
import { heightOf, rowsOf } from './rows-of.ts';
import type { RowOptions, RowVirtualizer, Windowing } from './windowing.ts';

/**
 * Like `useVirtualizer` of the library, for code that may be loaded later. Returns null until then. A table that is
 * already shown keeps its rows and its scroll position when the code arrives.
 */
export function useVirtualizer(code: Windowing | null, options: RowOptions): RowVirtualizer | null {
  const rerender = useReducer((times: number) => times + 1, 0)[1];
  const made = useRef<{ virtualizer: RowVirtualizer; start: ReturnType<typeof startOf> } | null>(null);
  if (code) {
    const start = made.current?.start ?? startOf(options);
    const all = { ...options, ...start, onChange: rerender };
    made.current ??= { virtualizer: code.make(all), start };
    code.setOptions(made.current.virtualizer, all);
  }
  const virtualizer = made.current?.virtualizer ?? null;
  // these two calls are what the library's own hook for React does; they have no public names
  useLayoutEffect(() => virtualizer?._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer?._willUpdate());
  return virtualizer;
}

/**
 * The part of a table that is visible when its virtualizer is made, and where its rows are. No rows if it is not shown.
 */
function startOf({ count, getScrollElement, getItemKey = Number }: RowOptions) {
  const scroller = getScrollElement();
  let end = 0;
  const rows = scroller ? rowsOf(scroller).slice(0, count) : []; // some may be gone by now
  return {
    initialOffset: scroller?.scrollTop ?? 0,
    initialRect: { width: scroller?.offsetWidth ?? 0, height: scroller?.offsetHeight ?? 0 },
    initialMeasurementsCache: rows.map((row) => {
      const index = Number(row.dataset.index);
      const size = heightOf(row);
      const start = end;
      end += size;
      return { key: getItemKey(index), index, start, end, size, lane: 0 };
    }),
  };
}
