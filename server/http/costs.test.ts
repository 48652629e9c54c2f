import { afterEach, expect, test } from 'vitest';
import { costsBody } from '../../shared/wire/costs.ts';
import { holderOf, seconds, story } from '../../testing/stories/story.ts';
import { makeMemoryObservatory } from '../testing/memory-observatory.ts';
import { serveTestApp, type TestApp } from '../testing/test-app.ts';
import { EventStore } from '../watch/store/event-store.ts';

const signals = async () => undefined;
let app: TestApp | undefined;
afterEach(() => app?.close());

const turn = (at: number, length: number) => `
  ${at}.000 A attempts acquired
  ${at + 1}.000 B attempts refused
  ${at + 1}.001 B subscribes
  ${at + 1}.002 B attempts refused
  ${at + 1 + length}.000 A releases
  ${at + 1 + length}.001 B attempts acquired
  ${at + 2 + length}.000 B releases`;

/** In the first minute, x costs 2 s and y 20 s; in the second minute, x costs 12 s and y 21 s. */
const EVENTS = [
  ...story(`x lease 60s\n${turn(0, 2)}\n${turn(60, 12)}`),
  ...story(`y lease 60s\n${turn(0, 20)}\n${turn(60, 21)}`),
]
  .sort((a, b) => a.at - b.at)
  .map((event, n) => ({ ...event, seq: n + 1 }));
const FIRST = `${seconds(0)},${seconds(60)}`;
const SECOND = `from=${seconds(60)}&to=${seconds(120)}`;

async function serve() {
  const memory = makeMemoryObservatory();
  const store = new EventStore(() => seconds(120));
  store.history.beginAt(seconds(0));
  store.add(EVENTS);
  app = await serveTestApp({ ...memory, ...store.answers, history: Object.assign(store.history, { signals }) });
  const { get } = app;
  return async (query: string) => (await get(`/api/costs?${query}`)).body;
}

const whole = (ms: number) => Math.round(ms / 10) * 10;

test('locks, clients and holds are ranked by what they cost others', async () => {
  const ask = await serve();
  const all = costsBody.parse(await ask(SECOND));
  expect(all).toMatchObject({ readFrom: 'events', from: seconds(60), to: seconds(120), isAtLeast: false, more: 0 });
  expect(all.rows.locks?.map(({ lock, waits, causedMs }) => [lock, waits, whole(causedMs)])).toEqual([
    ['y', 1, 21_000],
    ['x', 1, 12_000],
  ]);
  const { clients } = costsBody.parse(await ask(`${SECOND}&by=client`)).rows;
  expect(clients?.map(({ client, waitedMs = 0, causedMs }) => [client, whole(waitedMs), whole(causedMs)])).toEqual([
    [holderOf('A').slice(0, -2), 0, 33_000],
    [holderOf('B').slice(0, -2), 33_000, 0],
  ]);
  const { rows, more } = costsBody.parse(await ask(`${SECOND}&by=hold&limit=1`));
  expect(rows.holds?.map(({ lock, from, causedMs }) => [lock, whole(from / 1000), whole(causedMs)])).toEqual([
    ['y', seconds(60) / 1000, 21_000],
  ]);
  expect(more).toBe(1);
});

test('the costs of two compared ranges are known since the earlier range began, or since memory began', async () => {
  const ask = await serve();
  expect(await ask(SECOND)).toMatchObject({ since: seconds(60) });
  const early = await ask(`${SECOND}&against=${seconds(0) - 30_000_000},${seconds(60)}`);
  expect(early).toMatchObject({ since: seconds(0), isAtLeast: false, against: { from: seconds(0), isAtLeast: true } });
  expect(await ask(`from=${seconds(0)}&to=${seconds(60)}&against=${seconds(60)},${seconds(120)}`)).toMatchObject({
    since: seconds(0),
  });
});

test('in a comparison with another range, the largest change is first', async () => {
  const ask = await serve();
  const body = costsBody.parse(await ask(`${SECOND}&against=${FIRST}`));
  expect(body.against).toEqual({ from: seconds(0), to: seconds(60), isAtLeast: false });
  const changes = body.rows.locks?.map(({ lock, causedMs, before, changeMs = 0 }) =>
    [lock, before?.causedMs ?? 0, causedMs, changeMs].map((each) => (typeof each === 'number' ? whole(each) : each)),
  );
  expect(changes).toEqual([
    ['x', 2000, 12_000, 10_000],
    ['y', 20_000, 21_000, 1000],
  ]);
});

test('a hold that is in only one of two ranges cost nothing in the other', async () => {
  const ask = await serve();
  const { rows } = costsBody.parse(await ask(`${SECOND}&against=${FIRST}&by=hold`));
  const holds = rows.holds?.map(({ causedMs, before, changeMs = 0 }) =>
    [causedMs, before?.causedMs, changeMs].map((ms = 0) => whole(ms)),
  );
  expect(holds).toEqual([
    [21_000, 0, 21_000],
    [0, 20_000, -20_000],
    [12_000, 0, 12_000],
    [0, 2000, -2000],
  ]);
});

test('costs of a range that begins before memory are a lower bound', async () => {
  const ask = await serve();
  expect(await ask(`from=${seconds(-500)}&to=${seconds(60)}`)).toMatchObject({ isAtLeast: true, since: seconds(0) });
});

test('a comparison range that is not two instants, or is in the future, is refused', async () => {
  const ask = await serve();
  expect(await ask('against=1')).toMatchObject({ error: { field: 'against' } });
  expect(await ask('against=9,1')).toMatchObject({ error: { field: 'against' } });
  expect(await ask(`against=${seconds(900)},${seconds(901)}`)).toMatchObject({
    error: { code: 'in-the-future', field: 'against' },
  });
  expect(await ask('against=1,2')).toMatchObject({ error: { code: 'forgotten', field: 'against' } });
});
