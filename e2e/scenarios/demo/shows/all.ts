import { BASICS } from './basics.ts';
import { COUNTERS } from './counters.ts';
import { LOCKS } from './locks.ts';
import { SEVERAL } from './several.ts';
import type { Show } from './show.ts';

/** What the stage shows of every scenario except `two-threads` and `full-show`, which have tests of their own. */
export const SHOWS: readonly Show[] = [...BASICS, ...LOCKS, ...COUNTERS, ...SEVERAL];
