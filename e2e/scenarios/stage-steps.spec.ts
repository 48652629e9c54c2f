import { SHOWN_WITHIN_MS, StagePage } from '../pages/stage-page.ts';
import { expect, test } from './stage.ts';

test('stepping back and forward shows the same pictures, from the end to the beginning and back', async ({
  demo,
  page,
}) => {
  const stage = new StagePage(page);
  await stage.open(demo.url);
  await stage.start('two-threads');
  await expect(stage.summary).toBeVisible({ timeout: SHOWN_WITHIN_MS });

  const look = async () => {
    await stage.settled();
    return stage.picture();
  };
  await stage.button('From the start').click();
  await page.keyboard.press('Space');
  await expect(stage.button('Play')).toBeVisible();
  await stage.stepBackToTheStart();

  const forth: Awaited<ReturnType<typeof look>>[] = [];
  while (await stage.button('Next').isEnabled()) {
    await stage.button('Next').click();
    forth.push(await look());
  }
  expect(new Set(forth.map(({ beat }) => beat)).size).toBe(forth.length);
  expect(forth.length).toBeGreaterThanOrEqual(8);
  const back = [forth.at(-1)];
  while (back.length < forth.length) {
    await stage.button('Back').click();
    back.push(await look());
  }
  expect(back.reverse().map((picture) => picture?.words)).toEqual(forth.map(({ words }) => words));
  expect(back.map((picture) => picture?.lanes === undefined)).not.toContain(true);
  for (const [index, picture] of back.entries())
    expect(picture?.lanes === forth[index]?.lanes, picture?.beat).toBe(true);

  await test.step('at the wake-up the lens is open, with its marks in order', async () => {
    const open = forth.filter(({ words }) => /granted/.test(words));
    expect(open).toHaveLength(1);
    expect(open[0]?.words).toMatch(/del[\s\S]*publish[\s\S]*EVAL[\s\S]*granted/);
    const marks = [...(open[0]?.words ?? '').matchAll(/([\d,]+) µs/g)].map(([, micros = '']) =>
      Number(micros.replaceAll(',', '')),
    );
    expect(marks).toEqual(marks.toSorted((a, b) => a - b));
    expect(marks).toHaveLength(4);
  });
});

test('while the run is live, the stage can pause, step back, and return to now', async ({ demo, page }) => {
  const stage = new StagePage(page);
  await stage.open(demo.url);
  const shown = await stage.recordShow();
  await stage.start('two-threads');
  await expect.poll(async () => (await shown()).some(({ caption }) => caption.includes('B asks: busy'))).toBe(true);
  await page.keyboard.press('Space');
  await expect(stage.button('Play')).toBeVisible();
  const beat = await stage.beat();
  const words = await stage.caption.innerText();
  await stage.hasPlayed();
  await expect(stage.state).toContainText('Paused.');
  expect([await stage.beat(), await stage.caption.innerText()]).toEqual([beat, words]);

  // how far the show continued before the key was handled differs every time
  for (let presses = 0; presses < 20 && !(await isFirst(stage)); presses++) {
    await page.keyboard.press('ArrowLeft');
    await stage.settled();
  }
  await expect(stage.caption).toHaveText('A acquires the lock. Redis grants a 6-second lease.');
  await expect(stage.redis).toContainText('A order-svc-1:1 ×1');
  await stage.button('To the end').click();
  await expect(stage.caption).toHaveText('Released. No thread is waiting, so none wakes.');
  await expect(stage.lesson).toContainText('The message of A’s release woke it.');
});

test('the list of steps highlights the steps that the stage has reached, back and forward', async ({ demo, page }) => {
  const stage = new StagePage(page);
  await stage.open(demo.url);
  await stage.chooseSpeed('×4');
  await stage.playToTheEnd('two-threads');
  const lit = stage.steps.getByText('reached', { exact: true });
  await expect(lit).toHaveCount(8);
  await stage.standAtTheStart();
  await expect(lit).toHaveCount(0);
  await expect(stage.state).toHaveText('Paused. Step 0 of 8.');
  await stage.stepTo('A acquires the lock');
  await expect(lit).toHaveCount(1);
  await stage.stepTo('A deletes the key');
  await expect(lit).toHaveCount(5);
  await stage.button('Back').click();
  await expect(lit).toHaveCount(4);
  await stage.stepTo('Released.');
  await expect(lit).toHaveCount(8);
  await expect(stage.state).toHaveText('Done. Step 8 of 8.');
});

test('keyboard alone: play, pause, step, slower and faster, captions, full screen, and the sheet', async ({
  demo,
  page,
}) => {
  const stage = new StagePage(page);
  await stage.open(demo.url);
  await expect(stage.button('Play the show')).toBeVisible();
  const shown = await stage.recordShow();
  const begins = async () => (await shown()).filter(({ caption }) => caption.startsWith('A acquires the lock.')).length;
  await page.keyboard.press('Space');
  await expect.poll(begins).toBe(1);
  await page.keyboard.press('Space');
  await expect(stage.button('Play')).toBeVisible();
  await page.keyboard.press('Home');
  await expect(stage.button('Pause')).toBeVisible();
  await expect.poll(begins).toBe(2);

  const speed = stage.stage.getByRole('combobox', { name: 'Speed' });
  await page.keyboard.press('Equal');
  await expect(speed).toHaveValue('2');
  await page.keyboard.press('Minus');
  await page.keyboard.press('Minus');
  await expect(speed).toHaveValue('0.5');

  await page.keyboard.press('KeyC');
  await expect(stage.caption).toBeHidden();
  await page.keyboard.press('KeyC');
  await expect(stage.caption).toBeVisible();

  const plain = await typeSize(stage);
  await page.keyboard.press('KeyF');
  await expect(stage.button('Leave full screen')).toBeVisible();
  expect((await typeSize(stage)) / plain).toBeCloseTo(1.5, 1);
  await page.keyboard.press('KeyF');
  await expect(stage.button('Full screen')).toBeVisible();

  for (const name of ['From the start', 'Pause', 'Captions', 'Full screen']) {
    await tabTo(stage, name);
  }
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Shortcuts and symbols' });
  await expect(sheet).toContainText('Keys of the stage');
  await expect(sheet).toContainText('From the start');
});

async function isFirst(stage: StagePage): Promise<boolean> {
  return (await stage.caption.innerText()).startsWith('A acquires the lock.');
}

async function typeSize(stage: StagePage): Promise<number> {
  return stage.caption.evaluate((caption) => Number.parseFloat(getComputedStyle(caption).fontSize));
}

/** Presses Tab until the button has the focus. */
async function tabTo(stage: StagePage, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if (await stage.button(name).evaluate((button) => button === document.activeElement)) return;
    await stage.page.keyboard.press('Tab');
  }
  throw new Error(`sixty tabs do not lead to ${name}`);
}
