import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/react-virtual';
import { heightOf } from './rows-of.ts';

/** Knows which rows of a table are visible, and where. */
export type RowVirtualizer = Virtualizer<HTMLDivElement, HTMLTableRowElement>;

type AllOptions = VirtualizerOptions<HTMLDivElement, HTMLTableRowElement>;
export type RowOptions = Omit<
  AllOptions,
  'observeElementRect' | 'observeElementOffset' | 'measureElement' | 'scrollToFn'
>;

function inElement(options: RowOptions): AllOptions {
  return { ...options, observeElementRect, observeElementOffset, measureElement, scrollToFn: elementScroll };
}

/**
 * The exact height of a row, for example 31.375. The library rounds it: then 20 rows would move up by 8 px when a table
 * that the browser has laid out gets its virtualizer.
 */
function measureElement(
  row: HTMLTableRowElement,
  entry: ResizeObserverEntry | undefined,
  { itemSizeCache, options }: RowVirtualizer,
) {
  const observed = entry?.borderBoxSize[0]?.blockSize;
  return observed ?? itemSizeCache.get(options.getItemKey(Number(row.dataset.index))) ?? heightOf(row);
}

/** The code that a table needs to render only its visible rows: 8 kB, so the overview loads it for a long table only. */
export const windowing = {
  make: (options: RowOptions): RowVirtualizer => new Virtualizer(inElement(options)),
  setOptions: (virtualizer: RowVirtualizer, options: RowOptions): void => virtualizer.setOptions(inElement(options)),
};
export type Windowing = typeof windowing;
