import { EventsPage } from '../../pages/events-page.ts';
import { LockRecording } from '../../support/recordings/lock-recording.ts';
import { expect, test } from '../stage.ts';

const LOCK = 'orders:42';
const NIGHT_MS = Date.UTC(2026, 2, 5, 3);
const MINUTE_MS = 60_000;

/** Two holds, ten minutes apart. */
function twoHolds(): Buffer<ArrayBuffer> {
  const recording = new LockRecording(LOCK, NIGHT_MS);
  for (const minute of [1, 11]) {
    recording.acquire(minute * MINUTE_MS, minute);
    recording.release(minute * MINUTE_MS + 5000, minute);
  }
  return recording.file(20 * MINUTE_MS);
}

test('a range chosen in the header is kept from page to page, and moves back and forward', async ({
  openRecording,
  page,
}) => {
  const { url } = await openRecording(twoHolds());
  const events = new EventsPage(page);
  await page.goto(`${url}/events`);
  const acquired = page.getByRole('row').filter({ hasText: LOCK }).filter({ hasText: 'acquired' });
  await expect(acquired).toHaveCount(2);

  await events.rangeButton.click();
  const form = page.getByRole('form', { name: 'From – to' });
  await form.getByLabel('From').fill('2026-03-05T03:10:00.000');
  await form.getByLabel('To').fill('2026-03-05T03:09:00.000');
  await form.getByRole('button', { name: 'Show' }).click();
  await expect(form.getByRole('alert')).toHaveText('Enter both instants. The end must be after the beginning.');
  await form.getByLabel('To').fill('2026-03-05T03:15:00.000');
  await form.getByRole('button', { name: 'Show' }).click();
  await expect(acquired).toHaveCount(1);
  await expect(events.rangeButton).toHaveText(/03:10:00 – .*03:15:00$/);

  await page.getByRole('link', { name: 'Timeline' }).click();
  await expect(events.rangeButton).toHaveText(/03:10:00 – .*03:15:00$/);
  await page.getByRole('link', { name: 'Events' }).click();
  const link = page.url();
  expect(new URL(link).searchParams.get('view')).toMatch(/s\+300s$/);

  await page.getByRole('button', { name: 'Back by the length of the range' }).click();
  await expect(events.rangeButton).toHaveText(/03:05:00 – .*03:10:00$/);
  await expect(page.getByText('No event in memory matches.')).toBeVisible();
  await page.getByRole('button', { name: 'Forward by the length of the range' }).click();
  await expect(acquired).toHaveCount(1);

  await page.getByRole('button', { name: 'Clear filter' }).click();
  await expect(acquired).toHaveCount(2);
  await page.goto(link);
  await expect(acquired).toHaveCount(1);
});
