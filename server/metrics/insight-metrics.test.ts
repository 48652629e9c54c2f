import { expect, test } from 'vitest';
import type { ObserveLevel } from '../../shared/wire/source.ts';
import { merged } from '../../testing/goldens/report-from-events.ts';
import { samplesIn, valuesOf } from '../../testing/stories/parse-metrics.ts';
import { seconds, story } from '../../testing/stories/story.ts';
import { makeMemoryObservatory } from '../testing/memory-observatory.ts';
import { EventStore } from '../watch/store/event-store.ts';
import { createMetrics } from './metrics.ts';

/** A crash of A at 6 s, and a thread that unlocks a lock of another. */
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
);

/** An observatory of these events as of 7 s, and its metrics. */
async function watched(level: ObserveLevel) {
  const memory = makeMemoryObservatory();
  let now = seconds(-1);
  const store = new EventStore(() => now);
  const sources = memory.sources().map((source) => ({ ...source, id: 'story', level }));
  const observatory = { ...memory, ...store.answers, history: Object.assign(store.history, memory.history) };
  const metrics = createMetrics({ observatory: { ...observatory, sources: () => sources }, version: '1' });
  store.sourcesChanged(sources);
  store.add(EVENTS);
  now = seconds(7);
  Array.from(store.look(now));
  const { text } = await metrics.text('text');
  metrics.stop();
  return { observatory, values: (name: string) => valuesOf(samplesIn(text), name) };
}

test('open verdicts, and those that were opened, are counted by incident and severity', async () => {
  const { values, observatory } = await watched('monitor');
  expect(values('lockscope_insights')).toEqual({ 'story holder-crashed-wait-ttl warning': 1 });
  const opened = values('lockscope_insights_opened_total');
  expect(opened).toMatchObject({ 'story holder-crashed-wait-ttl warning': 1, 'story unlock-by-non-owner warning': 1 });
  const { events } = await observatory.history.search({ type: 'insight.opened', limit: 100 });
  expect(Object.values(opened).reduce((sum, count) => sum + count, 0)).toBe(events.length);
  expect(values('lockscope_insights_unlisted')).toEqual({ '': 0 });
  expect(values('lockscope_detectors_failed')).toEqual({ '': 0 });
});

test('incidents that the level hides are counted, so that an absent verdict is not read as "all is well"', async () => {
  const [monitor, snapshot] = [await watched('monitor'), await watched('snapshot')];
  const hidden = async ({ observatory }: typeof monitor) => {
    const { cannotTell } = await observatory.insights({ open: true });
    return cannotTell.filter(({ reason }) => reason === 'level').length;
  };
  expect(snapshot.values('lockscope_incidents_unknown')['story level']).toBe(await hidden(snapshot));
  expect(await hidden(snapshot)).toBeGreaterThan(5);
  expect(monitor.values('lockscope_incidents_unknown')['story level'] ?? 0).toBe(await hidden(monitor));
});
