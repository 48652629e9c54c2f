import { afterEach, describe, expect, test } from 'vitest';
import { type WaitsPart, waitsBody } from '../../shared/wire/waits.ts';
import { merged } from '../../testing/goldens/report-from-events.ts';
import { holderOf, STORY_START, seconds, story, waitsAt } from '../../testing/stories/story.ts';
import { makeMemoryObservatory } from '../testing/memory-observatory.ts';
import { serveTestApp, type TestApp } from '../testing/test-app.ts';
import { EventStore } from '../watch/store/event-store.ts';

const signals = async () => undefined;
let app: TestApp | undefined;
afterEach(() => app?.close());

/** A has x and waits for C's hold of y from 3 s to 7.5 s; B and D wait for x. */
const EVENTS = merged(
  story(`x lease 30s\n 0.000 A attempts acquired\n${waitsAt('B', 1)}\n${waitsAt('D', 2)}
  9.000 A releases\n 9.200 B attempts acquired`),
  story(`y lease 30s\n 0.000 C attempts acquired\n${waitsAt('A', 3)}\n 7.000 C releases\n 7.500 A attempts acquired`),
);

/**
 * Serves the events as they are known at 10 s. `watchedFrom`: the second from which on the source is watched with
 * MONITOR.
 */
async function serve(watchedFrom = -1): Promise<(query?: string) => Promise<unknown>> {
  const memory = makeMemoryObservatory();
  let now = seconds(-1);
  const store = new EventStore(() => now);
  const [source] = memory.sources();
  if (!source) throw new Error('no source');
  const watch = (level: 'events' | 'monitor') =>
    store.sourcesChanged([{ ...source, id: 'story', level, status: 'observing' }]);
  if (watchedFrom >= 0) watch('events');
  now = seconds(watchedFrom);
  watch('monitor');
  store.history.beginAt(seconds(-1));
  store.add(EVENTS);
  now = seconds(10);
  app = await serveTestApp({ ...memory, ...store.answers, history: Object.assign(store.history, { signals }) });
  const { get } = app;
  return async (query = '') => (await get(`/api/waits${query}`)).body;
}

const people = new Map([...'ABCD'].map((letter) => [holderOf(letter), letter]));
const whole = (ms: number) => Math.round(ms / 10) * 10;
const partText = ({ cause, holder = '', lock = '-', ms }: WaitsPart) =>
  `${cause} ${people.get(holder) ?? '-'} ${lock} ${whole(ms)}`;

describe('GET /api/waits', () => {
  test('reports how many entries a limit leaves out', async () => {
    const ask = await serve();
    const { locks, longest, more } = waitsBody.parse(await ask('?limit=1'));
    expect([locks.length, longest.length]).toEqual([1, 1]);
    expect(more).toEqual({ locks: 1, clients: 3, threads: 3, holds: 2, longest: 2 });
    const all = waitsBody.parse(await ask()).more;
    expect(all).toEqual({ locks: 0, clients: 0, threads: 0, holds: 0, longest: 0 });
  });

  test('divides the waits of the last five minutes, by lock, client, thread and hold', async () => {
    const body = waitsBody.parse(await (await serve())());
    expect(body).toMatchObject({ v: 1, from: seconds(-1), to: seconds(10), isCut: false, unseen: [] });
    expect(body.total.waits).toBe(3);
    const costs = body.locks.map(({ lock, waits, ...each }) => [
      lock,
      waits,
      whole(each.waitedMs),
      whole(each.causedMs),
    ]);
    expect(costs).toEqual([
      ['x', 2, 16_200, 6800],
      ['y', 1, 4500, 12_000],
    ]);
    expect(body.locks[0]?.parts.map(partText)).toEqual([
      ...['hold C y 8000', 'hold A x 6000', 'waking - - 1400', 'hold B x 800'],
    ]);
    expect(body.holds.map(({ lock, holder, waiters }) => [lock, people.get(holder), waiters])).toEqual([
      ['y', 'C', 3],
      ['x', 'A', 2],
      ['x', 'B', 1],
    ]);
    expect(body.longest.map(({ holder, ms }) => [people.get(holder), whole(ms)])).toEqual([
      ['B', 8200],
      ['D', 8000],
      ['A', 4500],
    ]);
    expect(body.threads[0]).toMatchObject({ holder: holderOf('C'), waits: 0, waitedMs: 0 });
    expect(whole(body.clients[0]?.causedMs ?? 0)).toBe(12_000);
  });

  test('has figures about holds, waits and wake-ups', async () => {
    const { statistics } = waitsBody.parse(await (await serve())());
    const { holds, waits, wakeUps, refusals } = statistics;
    expect([holds?.count, waits?.count, wakeUps?.count, refusals]).toEqual([2, 2, 2, 4]);
    expect([whole(waits?.longestMs ?? 0), whole(wakeUps?.longestMs ?? 0)]).toEqual([8200, 500]);
    expect(waits?.lengths).toEqual([
      { fromMs: 2000, toMs: 5000, count: 1 },
      { fromMs: 5000, toMs: 10_000, count: 1 },
    ]);
  });

  test('counts only the time within the range', async () => {
    const get = await serve();
    // y is first: it cost three threads 3 s
    const { locks, total } = waitsBody.parse(await get(`?from=${seconds(4)}&to=${seconds(5)}`));
    expect(total).toMatchObject({ waits: 3, waitedMs: 3000 });
    expect(locks.map(({ lock, parts }) => [lock, ...parts.map(partText)])).toEqual([
      ['y', 'hold C y 1000'],
      ['x', 'hold C y 2000'],
    ]);
  });

  test('reports for how long waits were not visible', async () => {
    const { unseen } = waitsBody.parse(await (await serve(2))(`?from=${seconds(-1)}`));
    expect(unseen).toEqual([{ source: 'story', reason: 'level', ms: 3000 }]);
  });

  test('refuses a range in the future, one that ends before it begins, and one that has been dropped', async () => {
    const get = await serve();
    expect(await get(`?from=${seconds(60)}`)).toMatchObject({ error: { code: 'in-the-future', field: 'from' } });
    expect(await get(`?from=${seconds(2)}&to=${seconds(1)}`)).toMatchObject({ error: { field: 'to' } });
    expect(await get(`?from=1&to=${STORY_START - 10_000_000}`)).toMatchObject({
      error: { code: 'forgotten', field: 'to' },
    });
  });
});
