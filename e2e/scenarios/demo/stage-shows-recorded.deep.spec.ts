import { SHOWS } from './shows/all.ts';
import { testRecorded } from './shows/recorded.ts';

/* The recorded runs that `stage-shows.spec.ts` leaves out. */

for (const show of SHOWS.filter(({ isInGate }) => !isInGate)) testRecorded(show);
