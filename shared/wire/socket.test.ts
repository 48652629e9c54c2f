import { expect, test } from 'vitest';
import { helloMessage, wantMessage } from './socket.ts';

test.each([
  [{}, false],
  [{ v: 2 }, false],
  [{ v: 1, after: -1 }, false],
  [{ v: 1, after: 1.5 }, false],
  [{ v: 1, after: 'x' }, false],
  [null, false],
  ['hello', false],
  [{ v: 1 }, true],
  [{ v: 1, after: 0, run: 'r' }, true],
])('the hello message %j is accepted: %s', (message, isFine) => {
  expect(helloMessage.safeParse(message).success).toBe(isFine);
});

test.each([
  [{ locks: 'a' }, false],
  [{ locks: [1] }, false],
  [{ locks: Array(1001).fill('a') }, false],
  [{ events: 'no' }, false],
  [{}, true],
  [{ locks: ['main/0/a'], events: false }, true],
])('the message %j, by which a page chooses what it receives, is accepted: %s', (message, isFine) => {
  expect(wantMessage.safeParse(message).success).toBe(isFine);
});
