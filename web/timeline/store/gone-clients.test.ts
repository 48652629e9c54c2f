import { expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import { makeHolder, makeLock } from '../../testing/make.ts';
import { noteGone } from './gone-clients.ts';

function makeTimeline() {
  const goneSince = new Map<string, ReturnType<typeof redisTime>>();
  const noteGone = (gone: ReadonlyMap<string, ReturnType<typeof redisTime>>) => {
    for (const [client, at] of gone) goneSince.set(client, at);
  };
  return { goneSince, noteGone };
}

const held = (presence: 'gone' | 'connected', goneSince: number | null = null) =>
  makeLock({ name: 'a', holders: [makeHolder('u:1', { presence, goneSince })] });

test('a holder is gone since the instant that the server reports, not since the page noticed it', () => {
  const timeline = makeTimeline();
  noteGone(timeline, [held('gone', 5_000_000)]);
  expect([...timeline.goneSince]).toEqual([['u', redisTime(5_000_000)]]);
});

test('a client that is connected to another server, or connected again, is not gone', () => {
  const timeline = makeTimeline();
  noteGone(timeline, [held('gone', 5_000_000), held('connected')]);
  expect(timeline.goneSince.size).toBe(0);
  noteGone(timeline, [held('gone', 5_000_000)]);
  noteGone(timeline, [held('connected')]);
  expect(timeline.goneSince.size).toBe(0);
});
