import { type RefObject, useCallback, useEffect, useState } from 'react';

/** Whether an element fills the screen, and a function that toggles it. */
export function useFullScreen(element: RefObject<HTMLElement | null>): { isFull: boolean; toggleFull: () => void } {
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    const onChange = () => {
      // a stage that was scrolled on the page would be cut off at the top
      element.current?.scrollTo(0, 0);
      setFull(document.fullscreenElement !== null && document.fullscreenElement === element.current);
    };
    document.addEventListener('fullscreenchange', onChange);
    return () => document.removeEventListener('fullscreenchange', onChange);
  }, [element]);
  const toggleFull = useCallback(() => {
    // if the browser does not allow it, nothing changes
    if (document.fullscreenElement) void document.exitFullscreen().catch(() => undefined);
    else void element.current?.requestFullscreen().catch(() => undefined);
  }, [element]);
  return { isFull, toggleFull };
}
