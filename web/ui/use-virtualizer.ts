import { useLayoutEffect, useReducer, useRef } from 'react';
import type { RowOptions, RowVirtualizer, Windowing } from './windowing.ts';

/**
 * Like `useVirtualizer` of the library, for code that may be loaded later. Returns null until then. A table that is
 * already shown keeps its rows and its scroll position when the code arrives.
 */
export function useVirtualizer(code: Windowing | null, options: RowOptions): RowVirtualizer | null {
  const rerender = useReducer((times: number) => times + 1, 0)[1];
  const made = useRef<{ virtualizer: RowVirtualizer; start: ReturnType<typeof startOf> } | null>(null);
  if (code) {
    const start = made.current?.start ?? startOf(options.getScrollElement());
    const all = { ...options, ...start, onChange: rerender };
    made.current ??= { virtualizer: code.make(all), start };
    code.setOptions(made.current.virtualizer, all);
  }
  const virtualizer = made.current?.virtualizer ?? null;
  useLayoutEffect(() => virtualizer?._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer?._willUpdate());
  return virtualizer;
}

/** The part of a table that is visible when its virtualizer is made: nothing if the table is not shown yet. */
function startOf(scroller: HTMLElement | null) {
  return {
    initialOffset: scroller?.scrollTop ?? 0,
    initialRect: { width: scroller?.offsetWidth ?? 0, height: scroller?.offsetHeight ?? 0 },
  };
}
