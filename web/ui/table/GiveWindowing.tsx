import { useLayoutEffect } from 'react';
import { type Windowing, windowing } from './windowing.ts';

/** Shows nothing. Gives a table that has become long the code that renders only its visible rows. */
export default function GiveWindowing({ onLoaded }: { onLoaded: (code: Windowing) => void }) {
  useLayoutEffect(() => onLoaded(windowing), [onLoaded]);
  return null;
}
