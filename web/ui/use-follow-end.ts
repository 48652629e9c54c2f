import { type RefObject, useLayoutEffect, useRef } from 'react';

export type FollowEnd = {
  readonly isFollowing: boolean;
  /** Called when the user scrolls away from the end, and when they come back to it. */
  readonly onChange: (isFollowing: boolean) => void;
};

/** Row heights are estimates, so 35 % more rows are rendered than should fit; otherwise a gap may remain. */
const SPARE_SHARE = 1.35;

/** Returns the indexes of the last rows of a table, enough to fill a window in which `inSight` rows should fit. */
export function endRange(count: number, inSight: number): number[] {
  const many = Math.min(count, Math.ceil(inSight * SPARE_SHARE) + 1);
  return Array.from({ length: many }, (_, n) => count - many + n);
}

/**
 * Keeps the end of a growing table visible until the user scrolls up. Returns the scroll handler.
 *
 * New rows are rendered and scrolled to in the same frame.
 */
export function useFollowEnd(
  scroller: RefObject<HTMLElement | null>,
  rows: { readonly count: number; readonly lastKey: string | number | undefined; readonly height: number },
  follow: FollowEnd | undefined,
): (scroller: HTMLElement) => void {
  const lastTop = useRef(0);
  const isFollowing = follow?.isFollowing ?? false;
  const { count, lastKey } = rows;

  // the end moves when the last row changes
  useLayoutEffect(() => {
    const element = scroller.current;
    if (isFollowing && count > 0 && element) element.scrollTop = element.scrollHeight;
  }, [isFollowing, count, lastKey, scroller]);

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
