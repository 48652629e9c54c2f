import type { StagePage } from '../../../pages/stage-page.ts';
import { expect, test } from '../../stage.ts';

/* How the stage moves through a run of `two-threads` that is over. */

/** Stepping forward and back shows the same pictures, from the start to the end and back. */
export async function expectSamePictures(stage: StagePage): Promise<void> {
  const look = async () => {
    await stage.settled();
    return stage.picture();
  };
  await stage.standAtTheStart();
  const forward: Awaited<ReturnType<typeof look>>[] = [];
  while (await stage.button('Next').isEnabled()) {
    await stage.button('Next').click();
    forward.push(await look());
  }
  expect(new Set(forward.map(({ beat }) => beat)).size).toBe(forward.length);
  expect(forward.length).toBeGreaterThanOrEqual(8);
  const back = [forward.at(-1)];
  while (back.length < forward.length) {
    await stage.button('Back').click();
    back.push(await look());
  }
  expect(back.reverse().map((picture) => picture?.words)).toEqual(forward.map(({ words }) => words));
  expect(back.map((picture) => picture?.lanes === undefined)).not.toContain(true);
  for (const [index, picture] of back.entries())
    expect(picture?.lanes === forward[index]?.lanes, picture?.beat).toBe(true);

  await test.step('at the wake-up the lens is open, with its marks in order', () => {
    const open = forward.filter(({ words }) => /acquired/.test(words));
    expect(open).toHaveLength(1);
    expect(open[0]?.words).toMatch(/del[\s\S]*publish[\s\S]*EVAL[\s\S]*acquired/);
    const marks = [...(open[0]?.words ?? '').matchAll(/([\d,]+) µs/g)].map(([, micros = '']) =>
      Number(micros.replaceAll(',', '')),
    );
    expect(marks).toEqual(marks.toSorted((a, b) => a - b));
    expect(marks).toHaveLength(4);
  });
}

/** The list of steps highlights the steps that the stage has reached, back and forward. */
export async function expectStepsLit(stage: StagePage): Promise<void> {
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
}

/**
 * Returns true if the first caption was shown again after another one. If no other one came before, it may be the
 * caption that was already shown.
 */
function beginsAgain(shown: readonly { caption: string }[]): boolean {
  const isFirst = ({ caption }: { caption: string }) => caption.startsWith('A acquires the lock.');
  const other = shown.findIndex((each) => !isFirst(each));
  return other !== -1 && shown.slice(other).some(isFirst);
}

/**
 * With the keyboard alone: plays from the start, slower and faster, shows captions and full screen, reaches the
 * buttons, and opens the list of keys.
 */
export async function expectKeys(stage: StagePage): Promise<void> {
  const { page } = stage;
  const shown = await stage.recordShow();
  await page.keyboard.press('Home');
  await expect(stage.button('Pause')).toBeVisible();
  await expect.poll(async () => beginsAgain(await shown())).toBe(true);
  await page.keyboard.press('Space');
  await expect(stage.button('Play')).toBeVisible();

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

  for (const name of ['From the start', 'Play', 'Captions', 'Full screen']) {
    await tabTo(stage, name);
  }
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Shortcuts and symbols' });
  await expect(sheet).toContainText('Keys of the stage');
  await expect(sheet).toContainText('From the start');
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
