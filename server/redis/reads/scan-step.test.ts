import { expect, test } from 'vitest';
import { ScanStep } from './scan-step.ts';

test('the scan begins with few keys, and looks at more while replies are small and quick', () => {
  const step = new ScanStep();
  expect(step.count).toBe(10);
  for (let n = 0; n < 20; n++) step.learn(1000, 1);
  expect(step.count).toBe(500);
});

test.each([
  ['long', 1_000_000, 1],
  ['late', 100, 100],
])('after a reply that is %s, the scan looks at fewer keys at once', (_, characters, ms) => {
  const step = new ScanStep();
  for (let n = 0; n < 20; n++) step.learn(1000, 1);
  step.learn(characters, ms);
  expect(step.count).toBe(50);
  for (let n = 0; n < 5; n++) step.learn(characters, ms);
  expect(step.count).toBe(1);
});
