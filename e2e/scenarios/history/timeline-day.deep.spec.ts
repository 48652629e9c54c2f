import { writeFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { linesOfDay } from '../../../testing/traces/day-of-traces.ts';
import { TimelinePage } from '../../pages/timeline-page.ts';
import { launchLockscopeProcess } from '../../support/lockscope/lockscope-process.ts';
import { expect, test } from '../stage.ts';

/** About 60,000 events in all: more than the page loads. */
const BUSY_MS = 450_000;
/** Reading the recording takes most of this time. */
const WITHIN_MS = 300_000;
const DRAWN_WITHIN_MS = 300;
/** The middle of the row of the first lock, from the top of the picture. */
const FIRST_ROW_PX = 28 + 14;

/**
 * Presses a button of the view. Returns how many hours of the first lock have a hold in the picture, and after how many
 * ms.
 */
function drawnAfter(page: Page, button: string): Promise<{ hours: number; ms: number }> {
  return page.getByRole('button', { name: button, exact: true }).evaluate(
    (element, y) =>
      new Promise<{ hours: number; ms: number }>((resolve) => {
        const began = performance.now();
        const look = () => {
          const canvas = document.querySelector<HTMLCanvasElement>('.tl-plot canvas');
          const ratio = window.devicePixelRatio;
          const row = canvas?.getContext('2d')?.getImageData(0, y * ratio, canvas.width, 1).data ?? [];
          let hours = 0;
          let wasHeld = false;
          for (let i = 0; i < row.length; i += 4) {
            const isHeld = (row[i + 2] ?? 0) - (row[i] ?? 0) > 60;
            if (isHeld && !wasHeld) hours++;
            wasHeld = isHeld;
          }
          const ms = performance.now() - began;
          if (hours >= 20 || ms > 10_000) resolve({ hours, ms });
          else requestAnimationFrame(look);
        };
        (element as HTMLElement).click();
        requestAnimationFrame(look);
      }),
    FIRST_ROW_PX,
  );
}

test(`the whole range of a recording of one day is drawn within ${DRAWN_WITHIN_MS} ms (median of five)`, async ({
  page,
}, info) => {
  test.setTimeout(WITHIN_MS);
  const file = info.outputPath('day.lockscope');
  writeFileSync(file, [...linesOfDay(BUSY_MS), ''].join('\n'));
  const lockscope = await launchLockscopeProcess('open', [file]);
  try {
    const timeline = new TimelinePage(page);
    await timeline.open(lockscope.url);
    await timeline.showAs('Chart');
    await page.getByRole('button', { name: 'Show everything' }).click();
    const viewInUrl = () => new URL(page.url()).searchParams.get('view') ?? '';
    await expect.poll(viewInUrl).toContain('s+');
    const urlOfHalfMinute = new URL(page.url());
    urlOfHalfMinute.searchParams.set('view', viewInUrl().replace(/\+.*/, '+30s'));
    const times: number[] = [];
    for (let turn = 0; turn < 5; turn++) {
      // a page that has loaded 30 s, and nothing of the rest of the day
      await page.goto(urlOfHalfMinute.href);
      await timeline.showAs('Chart');
      const { hours, ms } = await drawnAfter(page, 'Show everything');
      expect(hours).toBeGreaterThanOrEqual(20);
      times.push(Math.round(ms));
    }
    console.log(`from the click to the picture: ${times.join(', ')} ms`);
    expect(times.sort((a, b) => a - b)[2]).toBeLessThan(DRAWN_WITHIN_MS);
  } finally {
    await lockscope.stop();
  }
});
