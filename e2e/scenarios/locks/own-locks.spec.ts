import { expect, test } from '../stage.ts';

test('keys that look like an application’s own locks are offered, shown and hidden again', async ({
  page,
  connect,
  watch,
}) => {
  const lockscope = await watch('--observe', 'monitor');
  const app = await connect('worker');
  await app.command('SET', 'l', 'token', 'NX', 'PX', '300000');
  await app.command('SET', 'nightly-report', 'worker-7', 'NX', 'EX', '300');

  await page.goto(lockscope.url);
  const hints = page.getByRole('region', { name: 'Hints' });
  await expect(hints).toContainText('2 keys look like locks of your own');
  await expect(hints).toContainText('nightly-report');
  await expect(page.getByRole('table', { name: 'Locks' })).toBeHidden();

  await hints.getByRole('button', { name: 'Show them as locks' }).click();
  const locks = page.getByRole('table', { name: 'Locks' });
  await expect(locks).toContainText('nightly-report');
  await expect(locks).toContainText('worker-7');
  await app.command('SET', 'another', 'worker-8', 'NX', 'EX', '300');
  await expect(locks).toContainText('another');

  await hints.getByRole('button', { name: 'Hide them again' }).click();
  await expect(hints).toContainText('3 keys look like locks of your own');
  await expect(locks).toBeHidden();
});
