import { expect, test } from 'vitest';
import { measureCosts } from '../testing/measured-costs.ts';
import { FILES } from '../testing/test-place.ts';

test('costs of 30 days with 10,000 lock-hours a day are ranked, and compared, within 2 s', async () => {
  const path = await FILES.open();
  const { rankedMs, comparedMs } = await measureCosts(await FILES.database(path));
  await FILES.drop(path);
  expect(Math.max(rankedMs, comparedMs)).toBeLessThan(2000);
}, 600_000);
