import { expect, test } from 'vitest';
import { seconds } from '../../../testing/stories/story.ts';
import { StrangeLocks } from './strange-locks.ts';

test('keys that look like locks are counted by their form, each with its newest name', () => {
  const strange = new StrangeLocks();
  strange.note(0, { name: 'lock:a', form: 'counter', at: seconds(1) });
  strange.note(0, { name: 'sessions', form: 'hash-field', at: seconds(2) });
  strange.note(1, { name: 'lock:b', form: 'counter', at: seconds(3) });
  expect(strange.at(seconds(4))).toEqual([
    { form: 'counter', count: 2, newest: 'lock:b' },
    { form: 'hash-field', count: 1, newest: 'sessions' },
  ]);
  expect(strange.at(seconds(1000))).toEqual([]);
});

test('a counter beside a known lock is left out, for example that of its fencing tokens', () => {
  const strange = new StrangeLocks();
  for (const name of ['lock:a:fence', 'lock:a:42', 'lock:b:fence'])
    strange.note(0, { name, form: 'counter', at: seconds(1) });
  const shown = (db: number) => strange.at(seconds(4), (of, name) => of === db && name === 'lock:a')[0]?.count;
  expect([shown(0), shown(1)]).toEqual([2, 3]);
  strange.note(0, { name: 'semaphore:imports:queue', form: 'list', at: seconds(2) });
  const lists = strange.at(seconds(4), (_, name) => name === 'semaphore:imports:owners');
  expect(lists.map(({ form }) => form)).toEqual(['counter']);
});
