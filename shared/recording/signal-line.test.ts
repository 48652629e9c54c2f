import { expect, test } from 'vitest';
import { redisTime } from '../base/time.ts';
import { lineFromSignal } from './signal-line.ts';

test.each([
  [[]],
  [['GET']],
  [['SET', 'orders:42', '']],
  [['SET', 'a "quoted" word', 'a \\ backslash', 'tab\t', '\x7f', 'Köln', '\ud800']],
])('the words %j are written as JSON', (words) => {
  const line = { kind: 'line', at: redisTime(1), db: 3, words } as const;
  expect(lineFromSignal({ ...line, client: null })).toBe(`{"at":1,"db":3,"lua":${JSON.stringify(words)}}`);
  expect(lineFromSignal({ ...line, client: 'c"1' })).toBe(
    `{"at":1,"db":3,"from":${JSON.stringify('c"1')},"do":${JSON.stringify(words)}}`,
  );
});
