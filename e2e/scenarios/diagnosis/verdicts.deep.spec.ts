import { OverviewPage } from '../../pages/overview-page.ts';
import { expect, test } from '../stage.ts';

test('the list of what cannot be seen stays open while Redis does not answer', async ({
  watch,
  connect,
  redis,
  page,
}) => {
  await (await connect('billing')).acquire('invoice:nightly');
  const lockscope = await watch('--observe', 'events');
  await new OverviewPage(page).open(lockscope.url);
  const wrong = page.getByRole('region', { name: 'What is wrong' });
  await wrong.getByText('cannot be ruled out').click();
  await expect(wrong).toContainText('To see more, choose level monitor');
  await redis.freeze();
  await expect(wrong).toBeHidden();
  await redis.thaw();
  await expect(wrong).toContainText('To see more, choose level monitor');
});
