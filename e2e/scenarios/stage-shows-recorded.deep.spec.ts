import { SHOWS } from './shows/all.ts';
import { testRecorded } from './shows/recorded.ts';

/* The recorded runs whose kinds of card, lane and caption are also in those of `stage-shows.spec.ts`. */

for (const show of SHOWS.filter(({ isInGate }) => !isInGate)) testRecorded(show);
