import { expect, test } from 'vitest';
import { hasIfEqual } from './capabilities.ts';

test.each([
  ['redis', '7.0.15', false],
  ['redis', '8.0.2', false],
  ['redis', '8.4.0', true],
  ['redis', '8.6.3', true],
  ['redis', '10.0.0', true],
  ['valkey', '8.0.4', false],
  ['valkey', '8.1.1', true],
  ['valkey', '9.1.2', true],
  ['', '', false],
])('hasIfEqual of %s %s is %s', (server, version, expected) => {
  expect(hasIfEqual({ server, version })).toBe(expected);
});
