import { seriousFindings } from '../../pages/axe.ts';
import { expect, test } from '../stage.ts';

const LOCK = 'invoice:fair';
const ORDER = { thread: 1, lock: LOCK, kind: 'fair-lock', queueMs: 300_000 } as const;

test('a dead head is removed from the queue of a fair lock, and the next waiter acquires the lock', async ({
  watch,
  startApplication,
  page,
}) => {
  const holder = await startApplication('billing-1');
  const dead = await startApplication('billing-2');
  const next = await startApplication('billing-3');
  const lockscope = await watch('--observe', 'monitor', '--allow-release');
  const waiters = async () => (await lockscope.lock(LOCK))?.waiters ?? [];
  await holder.ask({ ...ORDER, action: 'lock' });
  void dead.ask({ ...ORDER, action: 'lock' });
  await expect.poll(async () => (await waiters()).length).toBe(1);
  const waiting = next.ask({ ...ORDER, action: 'lock' });
  await expect.poll(async () => (await waiters()).length).toBe(2);
  await page.goto(`${lockscope.url}/locks/${encodeURIComponent(LOCK)}`);
  const open = page.getByRole('button', { name: 'Remove the dead head…' });
  await expect(page.getByText('billing-3').first()).toBeVisible();
  await expect(open).toBeHidden();
  const isSeen = async () =>
    (await lockscope.eventsAfter(0)).some(
      (event) => event.type === 'client.connected' && JSON.stringify(event).includes(dead.uuid),
    );
  await expect.poll(isSeen).toBe(true);

  await dead.kill();
  await expect.poll(async () => (await waiters()).some(({ goneSince }) => goneSince !== undefined)).toBe(true);
  await holder.ask({ ...ORDER, action: 'unlock' });
  await open.click();
  const dialog = page.getByRole('dialog', { name: 'Remove the dead head of the queue' });
  await expect(dialog).toContainText('billing-2:1 is first in the queue until its deadline');
  await expect(dialog).toContainText('billing-3:1 is next.');
  await expect(dialog).toContainText('The lock is free, so it gets a message');
  expect(await seriousFindings(page)).toEqual([]);
  const send = dialog.getByRole('button', { name: 'Remove', exact: true });
  await expect(send).toBeDisabled();
  await dialog.getByRole('textbox').fill(LOCK);
  await send.click();
  await expect(dialog).toContainText('Removed.');
  await dialog.getByRole('button', { name: 'Close' }).click();
  expect(await waiting).toMatchObject({ ok: true });
  await expect(open).toBeHidden();
});
