import { expect, test } from 'vitest';
import { personText, shortClient, wordOf } from './person-text.ts';

const TOKEN = '8f92d9c6-e546-4f18-ae70-2fc000000002';
/** As the texts of Redis's values are: `\xac\xed` are bytes above 127. */
const [JAVA, JAVA_LONG] = [`\\xac\\xed\0\x05t\0$${TOKEN}`, '\\xac\\xed\0\x05sr\0\x0ejava.lang.Long;\\x8b\0\0\0\x07'];

test.each([
  [`s:36:"${TOKEN}";`, TOKEN],
  [`"${TOKEN}"`, TOKEN],
  [JAVA, TOKEN],
  [JAVA_LONG, '…00000007'],
  ['\\xf7\\xe7\\xd5\t:\\\\\\xca\\xc6Z', '…5ccac65a'],
  ['worker-1', 'worker-1'],
])('a token %j is written as %j in a sentence', (token, word) => {
  expect(wordOf(token)).toBe(word);
});

test('a serialized token is shortened like any other', () => {
  for (const token of [TOKEN, JAVA, `s:36:"${TOKEN}";`]) expect(shortClient(token)).toBe('8f92d9c6');
  expect(personText(JAVA_LONG, null, null)).toBe('…00000007');
});
