import { StagePage } from '../../pages/stage-page.ts';
import { test } from '../stage.ts';
import type { Show } from './show.ts';

/** The test of one show by its recorded run. */
export function testRecorded({ id, says, expect: expectShow }: Show): void {
  test(`${id}: ${says}`, async ({ recorded, page }) => {
    const lockscope = await recorded(id);
    const stage = new StagePage(page);
    await stage.open(lockscope.url);
    await stage.hasPlayed();
    await expectShow({ stage, lockscope, look: async () => undefined });
  });
}
