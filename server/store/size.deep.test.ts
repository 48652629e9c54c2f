import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { newFile } from './testing/stored-trace.ts';
import { measureThirtyDays } from './testing/thirty-days.ts';

test('ten instants of 30 days open, and an event takes less than 60 bytes', async () => {
  const path = newFile();
  const { bytesAnEvent, opened } = await measureThirtyDays(path, () => statSync(path).size);
  expect(bytesAnEvent).toBeLessThan(60);
  expect(opened).toBe(10);
}, 600_000);
