import { expect, test } from 'vitest';
import { isNextValue } from './value-form.ts';

test.each([
  ['web-1:4711:7', 'web-1:4711:8', true],
  ['{"owner":"web-1","at":17951}', '{"owner":"web-1","at":17952}', true],
  ['web@1795218454', 'web@1795218455', true],
  ['1795218454.5', '1795218459.25', true],
  ['worker-1', 'worker-2', false],
  ['worker-1@1795218454', 'worker-2@1795218455', false],
  ['web-1:4711:8', 'web-1:4711:7', false],
  ['web-1:4711:7', 'web-1:4711:7', false],
  ['web-1:4711:7', 'api-1:4711:8', false],
])('after the value %s, the value %s belongs to the same client: %s', (before, after, isNext) => {
  expect(isNextValue(before, after)).toBe(isNext);
});
