import type { Virtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef } from 'react';

export type FollowEnd = {
  readonly isFollowing: boolean;
  /** Called when the reader scrolls away from the end, and when they come back to it. */
  readonly onChange: (isFollowing: boolean) => void;
};

/** Keeps the end of a growing table in sight until the reader scrolls up. Gives back the scroll handler. */
export function useFollowEnd(
  virtualizer: Virtualizer<HTMLDivElement, HTMLTableRowElement>,
  lastKey: string | number | undefined,
  rowHeight: number,
  follow: FollowEnd | undefined,
): (scroller: HTMLElement) => void {
  const lastTop = useRef(0);
  const isFollowing = follow?.isFollowing ?? false;
  const count = virtualizer.options.count;

  // a new last row is what moves the end
  useLayoutEffect(() => {
    if (isFollowing && count > 0) virtualizer.scrollToIndex(count - 1, { align: 'end' });
  }, [isFollowing, count, lastKey, virtualizer]);

  return (scroller) => {
    const movedUp = scroller.scrollTop < lastTop.current - 2;
    const movedDown = scroller.scrollTop > lastTop.current + 2;
    const fromEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
    lastTop.current = scroller.scrollTop;
    if (!follow) return;
    if (isFollowing && movedUp && fromEnd > rowHeight * 1.5) follow.onChange(false);
    else if (!isFollowing && movedDown && fromEnd < 4) follow.onChange(true);
  };
}
