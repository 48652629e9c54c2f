import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/react-virtual';

/** Knows which rows of a table are visible, and where. */
export type RowVirtualizer = Virtualizer<HTMLDivElement, HTMLTableRowElement>;

type AllOptions = VirtualizerOptions<HTMLDivElement, HTMLTableRowElement>;
export type RowOptions = Omit<AllOptions, 'observeElementRect' | 'observeElementOffset' | 'scrollToFn'>;

function inElement(options: RowOptions): AllOptions {
  return { ...options, observeElementRect, observeElementOffset, scrollToFn: elementScroll };
}

/** The code that a table needs to render only its visible rows: 8 kB, so the overview loads it for a long table only. */
export const windowing = {
  make: (options: RowOptions): RowVirtualizer => new Virtualizer(inElement(options)),
  setOptions: (virtualizer: RowVirtualizer, options: RowOptions): void => virtualizer.setOptions(inElement(options)),
};
export type Windowing = typeof windowing;
