import { SHOWS } from './shows/all.ts';
import { testFits } from './shows/expect-fits.ts';

for (const { id } of SHOWS) testFits(id, { width: 1280, height: 720 });
for (const id of ['deadlock', 'redlock']) testFits(id, { width: 1440, height: 900 });
