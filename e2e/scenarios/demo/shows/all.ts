import { BASICS } from './basics.ts';
import { COUNTERS } from './counters.ts';
import { LOCKS } from './locks.ts';
import { SEVERAL } from './several.ts';
import type { Show } from './show.ts';

/** What the stage shows of every scenario, apart from the first one and the show: `two-threads` and `stage-show`. */
export const SHOWS: readonly Show[] = [...BASICS, ...LOCKS, ...COUNTERS, ...SEVERAL];
