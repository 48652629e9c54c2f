import { SHOWS } from './shows/all.ts';
import { testRecorded } from './shows/recorded.ts';

/*
 * Recorded runs of the demo's scenarios: a queue, readers, a circle and many waiters. The others are in
 * `stage-shows-recorded.deep.spec.ts`, and all of them with real clients in `stage-shows.deep.spec.ts`.
 */

for (const show of SHOWS.filter(({ isInGate }) => isInGate)) testRecorded(show);
