import { readFileSync } from 'node:fs';
import { seriousFindings } from '../../pages/axe.ts';
import { LockPage } from '../../pages/lock-page.ts';
import { OverviewPage } from '../../pages/overview-page.ts';
import { expect, test } from '../stage.ts';

const LOCK = 'invoice:nightly';
const TITLE = 'The client of the holder is gone';

test('an engineer on call gets from the problem to the evidence, the advice and a guarded release', async ({
  redis,
  watch,
  startApplication,
  page,
}) => {
  await redis.command('CONFIG', 'SET', 'notify-keyspace-events', 'KEA'); // so that Lockscope can answer every check
  const dead = await startApplication('billing-1');
  const other = await startApplication('billing-2');
  const lockscope = await watch('--observe', 'monitor', '--allow-release');
  await dead.ask({ thread: 1, action: 'lock', lock: LOCK });
  const waiting = other.ask({ thread: 1, action: 'lock', lock: LOCK });
  const overview = new OverviewPage(page);
  await overview.open(lockscope.url);
  const wrong = page.getByRole('region', { name: 'What is wrong' });
  await expect(wrong).toContainText('Nothing is wrong, as far as can be seen.');
  await expect(overview.cell(LOCK, 'verdict')).toHaveText('busy');
  const isConnected = async () => (await lockscope.eventsAfter(0)).some(({ type }) => type === 'client.connected');
  await expect.poll(isConnected).toBe(true);
  await expect.poll(async () => (await lockscope.lock(LOCK))?.holders[0]?.presence).toBe('connected');
  await dead.kill();

  await test.step('the overview shows what is wrong, with its cause, its end and what to do', async () => {
    const verdict = wrong.getByRole('listitem').filter({ hasText: TITLE });
    await expect(verdict).toContainText('1 waits');
    await expect(verdict.getByRole('img', { name: 'Holds and waits of 2 threads' })).toBeVisible();
    await expect(verdict).toContainText(/since .* ends by itself in/);
    // a mark above the chart of the waiters, where the problem began
    await expect(page.locator('.trend-problem').first()).toBeVisible();
    await expect(verdict).toContainText('If the process of billing-1:1 is surely gone, release the lock by hand.');
    await expect(overview.cell(LOCK, 'verdict')).toContainText('orphaned');
    await verdict.getByText('What happened, and what to do').click();
    await expect(verdict).toContainText('billing-1:1');
    await expect(verdict).toContainText('Now: If the process of billing-1:1 is surely gone, release the lock by hand');
    await expect(verdict).toContainText('Later: A shorter lease makes the wait shorter.');
    await verdict.getByRole('textbox', { name: 'Note for everybody who looks at this problem' }).fill('restarting it');
    await verdict.getByRole('textbox', { name: 'Your name' }).fill('Anna');
    await verdict.getByRole('button', { name: 'I take care of it' }).click();
    await expect(verdict.getByRole('list', { name: 'Notes' })).toContainText(/Taken care of: restarting it Anna, /);
    expect(await seriousFindings(page)).toEqual([]);
    await expect(page).toHaveTitle(/^\(1\) /);
    await expect(page.locator('link[rel="icon"]')).toHaveAttribute('href', /\/favicon-problem\.svg$/);
  });

  await test.step('the timeline shows the evidence of the verdict', async () => {
    await wrong.getByRole('link', { name: 'Evidence' }).first().click();
    await expect(page).toHaveURL(/\/timeline\?.*lock=invoice%3Anightly.*view=/);
    await expect(page.getByText(/billing-1:1 has held invoice:nightly/).first()).toBeVisible();
    await page.goBack();
  });

  await test.step('the page of clients shows for how many locks each client is waited for, and exports that', async () => {
    await page.getByRole('link', { name: 'Clients' }).click();
    const row = page.getByRole('row').filter({ hasText: 'billing-1' });
    await expect(row).toContainText('1 waits for 1 lock');
    await expect(row).toContainText('127.0.0.1');
    await page.getByRole('button', { name: 'Export' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    const csv = readFileSync(await (await download).path(), 'utf8');
    expect(csv.split('\r\n')[0]).toMatch(/^client,name,source,blocks,presence,/);
    expect(csv).toContain(',billing-1,redis,1,gone,');
    await page.goBack();
  });

  await test.step('the page of the lock shows the same verdict on top, and releases the lock after its name was typed', async () => {
    await wrong.getByRole('link', { name: LOCK }).first().click();
    await expect(new LockPage(page).holders).toContainText('billing-1');
    await expect(wrong).toContainText(TITLE);
    await page.getByRole('button', { name: 'Release this lock…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Release by force' });
    await expect(dialog).toContainText('billing-1:1 would lose the lock');
    expect(await seriousFindings(page)).toEqual([]);
    const send = dialog.getByRole('button', { name: 'Release', exact: true });
    await expect(send).toBeDisabled();
    await dialog.getByRole('textbox').fill(LOCK);
    await send.click();
    await expect(dialog).toContainText('Released.');
    await dialog.getByRole('button', { name: 'Close' }).click();
  });

  await test.step('the waiter holds the lock, and nothing is wrong', async () => {
    await waiting;
    await expect(new LockPage(page).holders).toContainText('billing-2');
    await expect(wrong).toBeHidden();
    await page.getByRole('link', { name: 'Now', exact: true }).click();
    await expect(wrong).toContainText('Nothing is wrong');
    await expect(page).toHaveTitle(/^Now/);
    await expect(page.locator('link[rel="icon"]')).toHaveAttribute('href', /\/favicon\.svg$/);
  });
});

test('the list of what cannot be seen recommends level monitor only if that level shows more', async ({
  watch,
  connect,
  page,
}) => {
  await (await connect('billing')).acquire(LOCK);
  const lockscope = await watch('--observe', 'events');
  await new OverviewPage(page).open(lockscope.url);
  const wrong = page.getByRole('region', { name: 'What is wrong' });
  await wrong.getByText('cannot be ruled out').click();
  await expect(wrong).toContainText('To see more, choose level monitor');
  expect((await lockscope.post('/api/sources/redis/observe', { level: 'monitor' })).status).toBe(200);
  // This Redis sends no key events, so an eviction is not visible at any level.
  await expect(wrong).not.toContainText('Deadlock: threads wait for each other');
  await expect(wrong).toContainText('Redis evicted a held lock');
  await expect(wrong).not.toContainText('To see more');
});
