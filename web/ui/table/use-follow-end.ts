import { type RefObject, useLayoutEffect, useReducer, useRef } from 'react';

export type FollowEnd = {
  readonly isFollowing: boolean;
  /** Called when the user scrolls away from the end, and when they come back to it. */
  readonly onChange: (isFollowing: boolean) => void;
};

type FollowedRows = {
  readonly count: number;
  readonly lastKey: string | number | undefined;
  /** The expected height of a row. */
  readonly height: number;
  readonly windowHeight: number;
};

/** Returns the indexes of the last `many` rows of a table. */
export function endRange(count: number, many: number): number[] {
  const shown = Math.min(count, Math.ceil(many));
  return Array.from({ length: shown }, (_, n) => count - shown + n);
}

/** How many of the last rows fill a window, plus one; null if all these rows do not fill it. */
export function rowsToFill(heights: readonly number[], windowHeight: number): number | null {
  let filled = 0;
  for (let rows = 1; rows <= heights.length; rows++) {
    filled += heights.at(-rows) ?? 0;
    if (filled >= windowHeight) return rows + 1;
  }
  return null;
}

/** While the rows do not fill the window, their number grows by this factor. */
const GROWTH = 1.35;

/**
 * Keeps the end of a growing table visible until the user scrolls up. Returns the scroll handler.
 *
 * New rows are rendered and scrolled to in the same frame. `many.current` becomes the number of rows that fill the
 * window: their heights are known only once they are rendered.
 */
export function useFollowEnd(
  scroller: RefObject<HTMLElement | null>,
  rows: FollowedRows,
  follow: FollowEnd | undefined,
  many: RefObject<number | null>,
): (scroller: HTMLElement) => void {
  const lastTop = useRef(0);
  const [times, renderAgain] = useReducer((times: number) => times + 1, 0);
  const isFollowing = follow?.isFollowing ?? false;
  const { count, lastKey, height, windowHeight } = rows;

  // the end moves when the last row changes
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!isFollowing || count === 0 || !element) return;
    element.scrollTop = element.scrollHeight;
    const heights = [...element.querySelectorAll<HTMLElement>('tbody > tr')].map((row) => row.offsetHeight);
    const enough = rowsToFill(heights, element.clientHeight);
    many.current = enough ?? heights.length * GROWTH + 1;
    if (enough === null && heights.length < count) renderAgain();
  }, [isFollowing, count, lastKey, height, windowHeight, times, scroller, many]);

  return (element) => {
    const movedUp = element.scrollTop < lastTop.current - 2;
    const movedDown = element.scrollTop > lastTop.current + 2;
    const fromEnd = element.scrollHeight - element.scrollTop - element.clientHeight;
    lastTop.current = element.scrollTop;
    if (!follow) return;
    if (isFollowing && movedUp && fromEnd > rows.height * 1.5) follow.onChange(false);
    else if (!isFollowing && movedDown && fromEnd < 4) follow.onChange(true);
  };
}
