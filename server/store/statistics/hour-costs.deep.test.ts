import { expect, test } from 'vitest';
import { measureCosts } from '../testing/measured-costs.ts';
import { FILES } from '../testing/test-place.ts';

test('costs of 30 days with 10,000 lock-hours a day are ranked, and compared', async () => {
  const path = await FILES.open();
  expect(await measureCosts(await FILES.database(path))).toEqual({ ranked: 20, compared: 20 });
  await FILES.drop(path);
}, 600_000);
