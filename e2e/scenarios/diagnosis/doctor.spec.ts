import { expect, test } from '../stage.ts';

test('the doctor page of a recording reports that there is no server to examine', async ({ page, openRecording }) => {
  const { url } = await openRecording('server/demo/recorded/two-threads.lockscope');
  await page.goto(`${url}/doctor`);
  await expect(page.getByText('The doctor needs a live server')).toBeVisible();
});
