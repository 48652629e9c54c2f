import type { Page } from '@playwright/test';
import type { Lockscope } from '../../support/lockscope/lockscope.ts';
import { expect } from '../stage.ts';
import { openRecorded } from './recorded.ts';

/** Plays a recorded run in a window of this size: at every beat all of it is in the window, and nothing moves. */
export async function expectFits(
  page: Page,
  lockscope: Lockscope,
  size: { width: number; height: number },
): Promise<void> {
  await page.setViewportSize(size);
  const { stage } = await openRecorded(page, lockscope);
  await stage.standAtTheStart();
  const places = await stage.notePlaces();
  await stage.stepToTheEnd();
  expect(await stage.hiddenPixels()).toEqual({ cards: 0, lanes: 0, page: 0 });
  expect(await places()).toHaveLength(1);
}
