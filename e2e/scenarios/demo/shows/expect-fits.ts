import type { Page } from '@playwright/test';
import type { Lockscope } from '../../../support/lockscope/lockscope.ts';
import { expect, test } from '../../stage.ts';
import { openRecorded } from './recorded.ts';

type Size = { readonly width: number; readonly height: number };

/** The test that a recorded run fits a window of this size. */
export function testFits(id: string, size: Size): void {
  test(`${id}: all cards and lanes fit into a window of ${size.width} × ${size.height} at every beat, and controls, caption and lanes do not move`, async ({
    recorded,
    page,
  }) => {
    await expectFits(page, await recorded(id), size);
  });
}

/**
 * Plays a recorded run. At every beat, all cards and lanes are in the window, and the parts around them do not move.
 */
async function expectFits(page: Page, lockscope: Lockscope, size: Size): Promise<void> {
  await page.setViewportSize(size);
  const { stage } = await openRecorded(page, lockscope);
  await stage.standAtTheStart();
  const places = await stage.notePlaces();
  await stage.stepToTheEnd();
  expect(await stage.hiddenPixels()).toEqual({ cards: 0, lanes: 0, page: 0 });
  expect(await places()).toHaveLength(1);
}
