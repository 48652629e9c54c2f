import type { Page } from '@playwright/test';
import { StagePage } from '../../../pages/stage-page.ts';
import type { Lockscope } from '../../../support/lockscope/lockscope.ts';
import { expect, test } from '../../stage.ts';
import type { Performance, Show } from './show.ts';

/** Opens the stage of a recorded demo, which shows the end of the run. */
export async function openRecorded(page: Page, lockscope: Lockscope): Promise<Performance> {
  const stage = new StagePage(page);
  await stage.open(lockscope.url);
  await expect(stage.lesson).toBeVisible();
  return { stage, lockscope, look: async () => undefined };
}

/** The test of one show by its recorded run. */
export function testRecorded({ id, says, expect: expectShow }: Show): void {
  test(`${id} (recorded): ${says}`, async ({ recorded, page }) => {
    await expectShow(await openRecorded(page, await recorded(id)));
  });
}
