import { SHOWS } from './shows/all.ts';
import { FULLEST, testFits } from './shows/expect-fits.ts';

for (const { id } of SHOWS) if (!FULLEST.includes(id)) testFits(id, { width: 1280, height: 720 });
for (const id of FULLEST) testFits(id, { width: 1440, height: 900 });
