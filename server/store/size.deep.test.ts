import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { newFile } from './testing/stored-trace.ts';
import { measureThirtyDays } from './testing/thirty-days.ts';

test('any instant of 30 days opens within a second, and an event takes less than 60 bytes', async () => {
  const path = newFile();
  const { bytesAnEvent, medianMs } = await measureThirtyDays(path, () => statSync(path).size);
  expect(bytesAnEvent).toBeLessThan(60);
  expect(medianMs).toBeLessThan(1000);
}, 600_000);
