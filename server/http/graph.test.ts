import { afterEach, describe, expect, test } from 'vitest';
import { graphBody } from '../../shared/wire/graph.ts';
import { merged } from '../../testing/goldens/report-from-events.ts';
import { holderOf, STORY_START, seconds, story, waitsAt } from '../../testing/stories/story.ts';
import { observeStoryAt } from '../testing/story-observatory.ts';
import { serveTestApp, type TestApp } from '../testing/test-app.ts';

let app: TestApp | undefined;
afterEach(() => app?.close());

/** A and B wait for each other from 2 s on, until A releases at 4 s. */
const EVENTS = merged(
  story(`x lease 30s\n 0.000 A attempts acquired\n${waitsAt('B', 1)}\n 4.000 A releases\n 4.001 B attempts acquired`),
  story(`y lease 30s\n 0.100 B attempts acquired\n${waitsAt('A', 2)}`),
);

/** Serves the events as of 5 s. */
async function serve(): Promise<(query?: string) => Promise<unknown>> {
  app = await serveTestApp(observeStoryAt(5, EVENTS));
  const { get } = app;
  return async (query = '') => (await get(`/api/graph${query}`)).body;
}

describe('GET /api/graph', () => {
  test('shows the present, in which the cycle is over', async () => {
    const graph = graphBody.parse(await (await serve())());
    expect(graph).toMatchObject({ v: 1, at: seconds(5), cycles: [], isByClient: false, cannotTell: [] });
    expect(graph.edges.map(({ from, to }) => `${from} → ${to}`).sort()).toEqual([
      `lock story/0/y → thread ${holderOf('B')}`,
      `thread ${holderOf('A')} → lock story/0/y`,
    ]);
  });

  test('shows a past instant, with the cycle of that time', async () => {
    const get = await serve();
    const { at, cycles } = graphBody.parse(await get(`?at=${seconds(3)}`));
    expect([at, cycles.length]).toEqual([seconds(3), 1]);
    expect(cycles[0]).toMatchObject({ from: seconds(2.000_003), release: { holder: holderOf('A'), lock: 'x' } });
    expect(graphBody.parse(await get(`?at=${seconds(1.5)}`)).cycles).toEqual([]);
    expect(await get(`?at=${STORY_START - 10_000_000}`)).toMatchObject({ error: { code: 'forgotten' } });
  });
});
