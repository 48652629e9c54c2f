import { expect, test } from 'vitest';
import { Watched } from '../../testing/stories/counter-story.ts';
import { redisTime } from '../base/time.ts';

const CD = 'redisson_countdownlatch__channel__{boot}';

test('[C1] a latch opens when its count reaches zero; a later countdown is reported as one of an open latch', () => {
  const watched = new Watched();
  watched.script('a:1', ['boot', CD], ['1', '2', 'PUBLISH'], 'exists boot', 'set boot 2', `PUBLISH ${CD} 1`);
  expect(watched.script('a:1', ['boot', CD], ['0', 'PUBLISH'], 'decr boot')).toMatchObject([
    { type: 'latch.counted-down', count: 1 },
  ]);
  const opened = watched.script('a:1', ['boot', CD], ['0', 'PUBLISH'], 'decr boot', 'del boot', `PUBLISH ${CD} 0`);
  expect(opened.map(({ type }) => type)).toEqual(['latch.counted-down', 'latch.opened', 'wakeup.published']);
  expect(watched.state?.latch).toEqual({ count: 0 });
  expect(watched.script('a:1', ['boot', CD], ['0', 'PUBLISH'], 'decr boot', 'del boot')).toMatchObject([
    { type: 'latch.counted-down', count: 0, wasOpen: true },
  ]);
});

test('[X5] a latch that another shard keeps is reported as moved, and has no count here', () => {
  const watched = new Watched();
  watched.script('a:1', ['boot', CD], ['1', '2', 'PUBLISH'], 'exists boot', 'set boot 2', `PUBLISH ${CD} 1`);
  const read = { db: 0, name: 'boot', type: 'none', fields: {}, pttl: -2, hasChanged: false, subscribers: null };
  const at = redisTime(watched.now * 1000);
  const elsewhere = { kind: 'bookmark', at, reads: [{ ...read, movedTo: '127.0.0.1:7001' }] } as const;
  expect(watched.take(elsewhere)).toMatchObject([{ type: 'lock.moved', lock: 'boot', to: '127.0.0.1:7001' }]);
  expect(watched.state?.latch).toBeNull();
  expect(watched.take(elsewhere)).toEqual([]);
  expect(watched.command('10.0.0.1:7001', 'SET', 'boot', '2')).toEqual([]); // the slot moves back, and the key with it
  expect(watched.take(elsewhere)).toEqual([]); // this server does not serve the slot yet
  expect(watched.read('boot', { count: ['2'] })).toMatchObject([{ type: 'latch.set', count: 2, isFound: true }]);
});

test('[C2] a deleted latch has no count', () => {
  const watched = new Watched();
  watched.script('a:1', ['boot', CD], ['1', '2', 'PUBLISH'], 'exists boot', 'set boot 2', `PUBLISH ${CD} 1`);
  expect(watched.script('a:1', ['boot', CD], ['1', 'PUBLISH'], 'del boot', `PUBLISH ${CD} 1`)[0]?.type).toBe(
    'latch.deleted',
  );
  expect(watched.state?.latch).toBeNull();
  watched.script('a:1', ['boot', CD], ['1', '3', 'PUBLISH'], 'exists boot', 'set boot 3', `PUBLISH ${CD} 1`);
  expect(watched.command('ops:1', 'DEL', 'boot')).toMatchObject([
    { type: 'latch.deleted', command: 'DEL', by: 'ops:1' },
  ]);
});
