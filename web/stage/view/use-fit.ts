import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

/** The sizes of the cards, as factors. */
const SIZES = [1, 0.93, 0.86, 0.8, 0.74, 0.68, 0.62, 0.56];
/** Text of the cards is not made smaller than this. */
const SMALLEST_PX = 11;

/** Lets the keyboard reach a box that scrolls. */
export function setReachable(box: HTMLElement, doesScroll: boolean): void {
  if (doesScroll) box.tabIndex = 0;
  else box.removeAttribute('tabindex');
}

/**
 * Makes the content of a box small enough for it. During a run (`key`) in a box of the same size, the content only
 * shrinks, so that its size does not change with every card. If even the smallest size does not fit, the box scrolls.
 */
export function useFit(box: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>, key: unknown): void {
  const size = useRef({ key, room: 0, index: 0 });
  const fit = () => {
    const [outer, inner] = [box.current, content.current];
    if (!outer || !inner) return;
    const isFixed = getComputedStyle(outer).overflowY !== 'visible';
    const { height, width } = outer.getBoundingClientRect();
    const { paddingTop, paddingBottom } = getComputedStyle(outer);
    const room = height - Number.parseFloat(paddingTop) - Number.parseFloat(paddingBottom);
    const now = size.current;
    const roomKey = isFixed ? room * 10_000 + width : 0;
    if (now.key !== key || now.room !== roomKey) size.current = { key, room: roomKey, index: 0 };
    const at = size.current;
    const smallest = SMALLEST_PX / Number.parseFloat(getComputedStyle(outer).fontSize);
    for (;;) {
      const scale = String(SIZES[at.index] ?? 1);
      if (inner.style.zoom !== scale) inner.style.zoom = scale;
      const next = SIZES[at.index + 1] ?? 0;
      const fits = !isFixed || inner.getBoundingClientRect().height <= room;
      if (fits || next < smallest) return setReachable(outer, !fits);
      at.index++;
    }
  };
  const newest = useRef(fit);
  newest.current = fit;
  useLayoutEffect(fit);
  useEffect(() => {
    if (!box.current) return;
    const sizes = new ResizeObserver(() => newest.current());
    sizes.observe(box.current);
    return () => sizes.disconnect();
  }, [box]);
}
