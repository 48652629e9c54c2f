import { SHOWS } from './shows/all.ts';
import { expectFits } from './shows/expect-fits.ts';
import { test } from './stage.ts';

for (const { id } of SHOWS) {
  test(`${id}: all cards and lanes are in a window of 1280 × 720 at every beat, and nothing moves or scrolls`, async ({
    recorded,
    page,
  }) => {
    test.slow();
    await expectFits(page, await recorded(id), { width: 1280, height: 720 });
  });
}

for (const id of ['deadlock', 'redlock']) {
  test(`${id}: all cards and lanes are in a window of 1440 × 900 at every beat, and nothing moves or scrolls`, async ({
    recorded,
    page,
  }) => {
    await expectFits(page, await recorded(id), { width: 1440, height: 900 });
  });
}
