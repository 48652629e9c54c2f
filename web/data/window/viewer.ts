import type { RedisTime } from '../../../shared/base/time.ts';
import type { TimeSpan } from './time-span.ts';

/** The part of the page that shows the window. */
export type Viewer = {
  /** The range on screen. */
  view(): TimeSpan;
  /** The instant of the view that matters most. */
  anchor(): RedisTime;
  /** True if the view follows now. */
  isLive(): boolean;
  /** The name of the only lock on screen; empty: all locks. */
  onlyLock(): string;
  /** How many columns the picture has. Absent or 0: it shows no outline of what is not loaded. */
  columns?(): number;
  /** Ids of the locks whose events are read whole, however long the view is. */
  ownLocks?(): readonly string[];
  /** Calls `listener` when one of these changes; returns the function that unsubscribes it. */
  subscribe(listener: () => void): () => void;
  /** The live state, or what was read from the server, was taken into the window. `isNew`: the window has changed. */
  onLiveState(isNew: boolean): void;
  /** The server's memory, the range that is being read, or the drops have changed. */
  touch(): void;
};
