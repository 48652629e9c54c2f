import { type RefObject, useLayoutEffect, useRef } from 'react';

export type FollowEnd = {
  readonly isFollowing: boolean;
  /** Called when the reader scrolls away from the end, and when they come back to it. */
  readonly onChange: (isFollowing: boolean) => void;
};

/** Heights are estimates: more rows are drawn than should fit, so that no room stays empty. */
const SPARE_SHARE = 1.35;

/** Indexes of the rows at the end of a table, enough to fill a window in which `inSight` rows should fit. */
export function endRange(count: number, inSight: number): number[] {
  const many = Math.min(count, Math.ceil(inSight * SPARE_SHARE) + 1);
  return Array.from({ length: many }, (_, n) => count - many + n);
}

/**
 * Keeps the end of a growing table in sight until the reader scrolls up. Gives back the scroll handler.
 *
 * Rows that came are drawn at once and then scrolled to, all in the same frame.
 */
export function useFollowEnd(
  scroller: RefObject<HTMLElement | null>,
  rows: { readonly count: number; readonly lastKey: string | number | undefined; readonly height: number },
  follow: FollowEnd | undefined,
): (scroller: HTMLElement) => void {
  const lastTop = useRef(0);
  const isFollowing = follow?.isFollowing ?? false;
  const { count, lastKey } = rows;

  // a new last row is what moves the end
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
