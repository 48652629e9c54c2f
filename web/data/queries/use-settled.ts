import { useEffect, useRef, useState } from 'react';

/**
 * Throttles a value: after a pause of `everyMs`, a change is returned at once, and otherwise at the end of `everyMs`.
 */
export function useSettled<T>(value: T, everyMs: number): T {
  const [settled, setSettled] = useState(value);
  const takenAt = useRef(Date.now());
  useEffect(() => {
    if (value === settled) return;
    const take = () => {
      takenAt.current = Date.now();
      setSettled(value);
    };
    const wait = takenAt.current + everyMs - Date.now();
    if (wait <= 0) return take();
    const timer = window.setTimeout(take, wait);
    return () => window.clearTimeout(timer);
  }, [value, settled, everyMs]);
  return settled;
}
