import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { onceATurn } from './once-a-turn.ts';

test('a function that is wrapped by onceATurn runs once for all calls of a turn, and again for a call of a later turn', async () => {
  let runs = 0;
  const call = onceATurn(() => runs++);
  for (let n = 0; n < 3; n++) call();
  expect(runs).toBe(0);
  await setImmediate();
  expect(runs).toBe(1);
  call();
  await setImmediate();
  expect(runs).toBe(2);
});
