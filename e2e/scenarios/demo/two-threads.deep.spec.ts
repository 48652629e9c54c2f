import { DemoPage } from '../../pages/demo-page.ts';
import { EventsPage } from '../../pages/events-page.ts';
import { OverviewPage } from '../../pages/overview-page.ts';
import { recordTexts, type ScreenRecorder } from '../../pages/screen-recorder.ts';
import { SHOWN_WITHIN_MS } from '../../pages/stage-page.ts';
import { expect, test } from '../stage.ts';
import { expectStory, reachedSteps } from './shows/two-threads.ts';

const LOCK = 'orders:42';

test('two threads compete for a lock, from the first button to the eighth step', async ({ demo, context }) => {
  const stage = new DemoPage(await context.newPage());
  const overview = new OverviewPage(await context.newPage());
  const events = new EventsPage(await context.newPage());
  await stage.open(demo.url);
  await overview.open(demo.url);
  await events.open(demo.url, { lock: LOCK });

  const lock = await recordTexts(overview.page, 'tbody tr', LOCK);
  const cell = (column: string) => recordTexts(overview.page, `tbody [data-column="${column}"]`);
  const [holder, lease, waiters] = [await cell('holder'), await cell('lease'), await cell('waiters')];
  const steps = await recordTexts(stage.page, 'ol[aria-label="Steps"]');
  await stage.start('two-threads');

  await test.step('A holds the lock, its watchdog renews it, and B waits for it', async () => {
    await expect.poll(() => inOneLine(holder)).toContainEqual(expect.stringMatching(/^A\S+:1$/));
    await expect.poll(() => inOneLine(waiters)).toContainEqual(expect.stringMatching(/^1B\S+:1$/));
    await expect.poll(() => inOneLine(lease)).toContainEqual(expect.stringContaining('↻'));
  });

  await test.step('B is woken and acquires the lock, which is free at the end', async () => {
    await expect(overview.cell(LOCK, 'holder')).toHaveText('free');
    await expect(overview.cell(LOCK, 'waiters')).toHaveText('–');
    const held = (await inOneLine(holder)).filter((text) => text !== 'free');
    expect([...new Set(held.map((text) => text.slice(0, 1)))]).toEqual(['A', 'B']);
  });

  await test.step('all eight steps were highlighted, one after another', async () => {
    await expect(stage.state).toContainText('Done. Step 8 of 8.', { timeout: SHOWN_WITHIN_MS });
    await expect.poll(async () => reachedSteps((await steps.texts()).at(-1) ?? '')).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const reached = (await steps.texts()).map(reachedSteps);
    for (const lit of reached) expect(lit).toEqual(lit.map((_, index) => index + 1));
    const counts = reached.map((lit) => lit.length);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  });

  await test.step('the events show the same story, and one opens to show its Redis lines', () => expectStory(events));

  await test.step('the lease counts down, and jumps up at a renewal', async () => {
    // The scenario holds the lock for seconds only: on a busy machine the page may draw few of them.
    await stage.order('Lock', 'A', 1);
    await expect.poll(async () => leaseOfA(await lock.texts())).toMatchObject({ hasFallen: true, hasJumped: true });
    await stage.order('Unlock', 'A', 1);
    await expect(overview.cell(LOCK, 'holder')).toHaveText('free');
  });
});

/** The texts that a cell showed, without the breaks between their parts. */
async function inOneLine(cell: ScreenRecorder): Promise<string[]> {
  return (await cell.texts()).map((text) => text.replaceAll(/\s+/g, ''));
}

/** Whether the remaining seconds fell in small steps while A held the lock, and whether a renewal raised them once. */
function leaseOfA(rows: string[]) {
  const ofA = rows.filter((row) => /^A$/m.test(row));
  const seconds = ofA.flatMap((row) => Number(/^(\d+\.\d) s/m.exec(row)?.[1] ?? Number.NaN)).filter((n) => n >= 0);
  const changes = seconds.slice(1).map((n, index) => n - (seconds[index] ?? n));
  return {
    hasFallen: changes.filter((change) => change < 0).length >= 10,
    hasJumped: changes.some((change) => change >= 1),
    rows,
  };
}
