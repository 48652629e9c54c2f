import { afterEach, describe, expect, test } from 'vitest';
import { DETECTORS } from '../../shared/insights/detectors/all.ts';
import { insightsBody } from '../../shared/wire/insights/insight.ts';
import { merged } from '../../testing/goldens/report-from-events.ts';
import { holderOf, STORY_START, seconds, story } from '../../testing/stories/story.ts';
import { observeStoryAt } from '../testing/story-observatory.ts';
import { serveTestApp, type TestApp } from '../testing/test-app.ts';

let app: TestApp | undefined;
afterEach(() => app?.close());

/**
 * A crash of A at 6 s, a thread that unlocks a lock of another, and a lock that is released before the commit. All of
 * them are as level `monitor` shows them.
 */
const EVENTS = merged(
  story(`
    orders:42 lease 30s
    0.000  A attempts acquired
    1.000  redis lists A B
    6.000  redis lists B
  `),
  story(`
    stock:7 lease 30s
    2.000  B attempts acquired
    3.000  C unlock refused
    3.500  B releases
  `),
  story(`
    user:3 lease 30s
    4.000  B2 attempts acquired
    4.100  B3 attempts refused
    4.101  B3 subscribes
    4.102  B3 attempts refused
    5.000  B2 releases
    5.002  B3 attempts acquired
    5.500  B3 releases
    5.600  B3 unsubscribes
  `),
);

/** Serves the events of an event store, as of 7 s. */
async function serve(
  level: 'events' | 'monitor' = 'monitor',
  hasLooked = false,
): Promise<(path: string) => Promise<unknown>> {
  app = await serveTestApp(observeStoryAt(7, EVENTS, { level, hasLooked }));
  const { get } = app;
  return async (path) => (await get(path)).body;
}

async function found(get: (path: string) => Promise<unknown>, query = ''): Promise<string[]> {
  const { insights } = insightsBody.parse(await get(`/api/insights${query}`));
  return insights.map(({ incident, lock }) => `${incident} ${lock}`);
}

const CRASHED = 'holder-crashed-wait-ttl orders:42';
const APART = 'released-before-commit user:3';
const UNLOCKED = 'unlock-by-non-owner stock:7';

describe('GET /api/insights', () => {
  test('reports the present problems, with sentences in English', async () => {
    const get = await serve();
    const body = insightsBody.parse(await get('/api/insights'));
    expect(body).toMatchObject({ v: 1, at: seconds(7), failed: [], kinds: DETECTORS.length });
    expect(body.insights[0]).toMatchObject({
      ...{ incident: 'holder-crashed-wait-ttl', severity: 'warning', confidence: 'certain', lock: 'orders:42' },
      ...{ holders: [holderOf('A')], from: seconds(1), to: null, title: 'The client of the holder is gone' },
      explanation: expect.stringMatching(/^The client of 00000061:1 has no open connection, last seen at 2026-\S+Z\./),
      advice: expect.stringContaining('Wait: this ends by itself'),
    });
    expect(await found(get)).toEqual([CRASHED, UNLOCKED]);
  });

  test('can be limited to one lock, and to open or ended problems', async () => {
    const get = await serve();
    expect(await found(get, '?lock=stock%3A7')).toEqual([UNLOCKED]);
    expect(await found(get, '?lock=none')).toEqual([]);
    expect(await found(get, '?open=true')).toEqual([CRASHED]);
    expect(await found(get, '?open=false')).toEqual([UNLOCKED]);
  });

  test('reports that a lock kept its holders apart only if asked about that lock', async () => {
    for (const hasLooked of [false, true]) {
      const get = await serve('monitor', hasLooked);
      expect(await found(get)).not.toContain(APART);
      expect(await found(get, '?lock=user%3A3')).toEqual([APART]);
      expect(await found(get, `?lock=user%3A3&at=${seconds(6.5)}`)).toEqual([APART]);
      expect(await found(get, `?lock=user%3A3&at=${seconds(4.5)}`)).toEqual([]);
      expect(await found(get, `?at=${seconds(6.5)}`)).not.toContain(APART);
      await app?.close();
    }
  });

  test('reports a past instant, with the same ids', async () => {
    const get = await serve();
    expect(await found(get, `?at=${seconds(2.5)}`)).toEqual([]);
    expect(await found(get, `?at=${seconds(3.2)}`)).toEqual([UNLOCKED]);
    expect(await found(get, `?at=${seconds(6.5)}`)).toEqual([CRASHED, UNLOCKED]);
    const ids = async (query: string) =>
      insightsBody.parse(await get(`/api/insights${query}`)).insights.map(({ id }) => id);
    expect(await ids(`?at=${seconds(6.5)}`)).toEqual(await ids(''));
    expect(await get(`/api/insights?at=${STORY_START - 10_000_000}`)).toMatchObject({ error: { code: 'forgotten' } });
  });

  test('reports what a level cannot show', async () => {
    const get = await serve('events');
    const { insights, cannotTell } = insightsBody.parse(await get('/api/insights'));
    expect(insights.map(({ incident }) => incident)).toEqual(['holder-crashed-wait-ttl']);
    expect(cannotTell).toContainEqual({
      incident: 'abba-deadlock',
      effect: 'stuck',
      source: 'story',
      reason: 'level',
      locks: 1,
    });
  });
});
