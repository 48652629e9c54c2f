import type { Page } from '@playwright/test';
import type { StagePage } from '../../../pages/stage-page.ts';
import { expect } from '../../stage.ts';

/* The look of the stage in a run of `two-threads` that has ended. */

/**
 * Checks the stage with reduced motion: each envelope was at one place only, and the lens is a still picture with its
 * four marks.
 */
export async function expectStill(stage: StagePage, places: Record<string, string[]>): Promise<void> {
  const placesByEnvelope = Object.entries(places);
  expect(placesByEnvelope.length).toBeGreaterThan(4);
  for (const [label, seen] of placesByEnvelope) expect(seen, label).toHaveLength(1);
  await stage.standAtTheStart();
  await stage.stepTo('B wakes');
  await expect(stage.lens.getByRole('listitem')).toHaveText([/^del/, /^publish/, /^EVAL/, /^acquired/]);
  for (const mark of await stage.lens.getByRole('listitem').all()) await expect(mark).toBeVisible();
}

/** Checks that the end of the show and the lens fit into 320 pixels: the page does not scroll sideways. */
export async function expectNarrow(stage: StagePage): Promise<void> {
  expect(await stage.sidewaysPixels()).toBeLessThanOrEqual(0);
  await stage.standAtTheStart();
  await stage.stepTo('B wakes');
  await expect(stage.lens).toBeVisible();
  expect(await stage.sidewaysPixels()).toBeLessThanOrEqual(0);
}

/** Begins to record the places of each envelope, by its content and its target: every different place once. */
export async function noteEnvelopes(page: Page): Promise<() => Promise<Record<string, string[]>>> {
  await page.evaluate(() => {
    const places: Record<string, string[]> = {};
    const look = () => {
      const envelope = document.querySelector<HTMLElement>('.stage-envelope');
      const beat = document.querySelector<HTMLElement>('[data-beat]')?.dataset.beat;
      if (envelope && !envelope.hidden) {
        const key = `${beat} ${envelope.dataset.who} ${envelope.className} ${envelope.textContent}`;
        const place = envelope.style.transform;
        places[key] = [...new Set([...(places[key] ?? []), place])];
      }
      requestAnimationFrame(look);
    };
    look();
    Object.assign(window, { envelopePlaces: places });
  });
  return () => page.evaluate(() => (window as unknown as { envelopePlaces: Record<string, string[]> }).envelopePlaces);
}
