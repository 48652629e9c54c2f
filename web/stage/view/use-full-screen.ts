import { type RefObject, useCallback, useEffect, useState } from 'react';

/** Whether an element fills the screen, and what puts it there or back. */
export function useFullScreen(element: RefObject<HTMLElement | null>): { isFull: boolean; toggleFull: () => void } {
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    const onChange = () =>
      setFull(document.fullscreenElement !== null && document.fullscreenElement === element.current);
    document.addEventListener('fullscreenchange', onChange);
    return () => document.removeEventListener('fullscreenchange', onChange);
  }, [element]);
  const toggleFull = useCallback(() => {
    // a browser that does not allow it leaves the page as it is
    if (document.fullscreenElement) void document.exitFullscreen().catch(() => undefined);
    else void element.current?.requestFullscreen().catch(() => undefined);
  }, [element]);
  return { isFull, toggleFull };
}
