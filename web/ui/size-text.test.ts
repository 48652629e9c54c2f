import { expect, test } from 'vitest';
import { sizeText } from './size-text.ts';

test.each([
  [0, '0 B'],
  [812, '812 B'],
  [4300, '4.2 kB'],
  [1_048_576, '1 MB'],
  [268_435_456, '256 MB'],
  [1_073_741_824, '1 GB'],
])('%i bytes are %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});
