import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { plusMillis, type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import { graphBody } from '../../../shared/wire/graph.ts';
import { healthBody, locksBody } from '../../../shared/wire/http.ts';
import { insightsBody } from '../../../shared/wire/insights/insight.ts';
import { trendsBody } from '../../../shared/wire/trends.ts';
import { STORY_START, seconds, story } from '../../../testing/stories/story.ts';
import type { Bus } from '../../bus/bus.ts';
import type { RawEntry } from '../../bus/bus-entry.ts';
import { lineOfSources, linesOfBatch } from '../../store/stream-lines.ts';
import { soon } from '../../testing/soon.ts';
import { serveTestApp, type TestApp } from '../../testing/test-app.ts';
import { sharesOf } from '../../watch/terms/memory-shares.ts';
import { pulse } from '../testing/pulses.ts';
import { FollowedSource } from './followed-source.ts';
import type { Heard, Pulses } from './pulses.ts';

const ACQUIRED = story('orders:42 lease 900s\n0.000 A attempts acquired');
/** The instant of the newest pulse, and until when the bus had everything. */
const PULSE_AT = seconds(10);
const WHOLE_UNTIL = seconds(9);

let app: TestApp | undefined;
let followed: FollowedSource | undefined;
afterEach(async () => {
  followed?.stop();
  await app?.close();
});

/**
 * A source whose newest pulse arrived `silentMs` ago. `hear` brings a new one. `firstLine`: the number of the first line
 * of its run that the bus still has.
 */
async function follow(silentMs: number, events = ACQUIRED, firstLine = 1, allowRelease = false) {
  const { sources } = pulse('one');
  const mine = sources.map((source) => ({
    ...source,
    id: 'story',
    level: 'monitor' as const,
    snapshotAt: STORY_START,
  }));
  const lines = lineOfSources(mine, STORY_START) + linesOfBatch({ events, gone: [] });
  const block: RawEntry = {
    place: { run: 1, seq: events.length + firstLine },
    fields: {
      ...{
        kind: 'block',
        first: String(firstLine),
        from: String(STORY_START),
        to: String(events.at(-1)?.at ?? STORY_START),
      },
      ...{ event: String(events.length + 1), bytes: gzipSync(lines) },
    },
  };
  let late: RawEntry[] = [];
  const bus = {
    newest: async () => [],
    range: async (_key: string, from: unknown) => (from === '-' ? [block] : late.splice(0)),
  } as Partial<Bus> as Bus; // a followed source reads only these fields
  const heard: { now: Heard } = {
    now: {
      pulse: pulse('one', { at: PULSE_AT, wholeUntil: WHOLE_UNTIL, sources: mine }),
      heardMs: Date.now() - silentMs,
    },
  };
  let read: (areNewest: boolean) => void = () => {};
  const pulses = {
    get: () => heard.now,
    onRead: (listener: typeof read) => {
      read = listener;
      return () => {};
    },
  } as Partial<Pulses> as Pulses; // the same fields are read
  followed = new FollowedSource('one', bus, pulses, sharesOf());
  await followed.start();
  app = await serveTestApp(followed.observatory, { allowRelease });
  const { get, post } = app;
  const hear = (at: RedisTime) => {
    heard.now = { pulse: pulse('one', { at, wholeUntil: at, sources: mine }), heardMs: Date.now() };
    read(true);
  };
  /** Another block of the same run, which the viewer reads only now. */
  const readLate = (at: RedisTime) => {
    const first = events.length + 2;
    const fields = { kind: 'block', first: String(first), from: String(at), to: String(at) };
    late = [
      {
        place: { run: 1, seq: first },
        fields: { ...fields, event: String(first), bytes: gzipSync(lineOfSources(mine, at)) },
      },
    ];
  };
  /** A gap of the same run, after lines that the bus dropped before they were read. */
  const readLateGap = (from: RedisTime, to: RedisTime) => {
    const [first, last] = [events.length + 5, events.length + 9];
    const fields = { kind: 'gap', first: String(first), from: String(from), to: String(to), event: String(last + 1) };
    late = [{ place: { run: 1, seq: last }, fields: { ...fields, reason: 'bus-gone', state: String(last + 4) } }];
  };
  return { get, post, hear, readLate, readLateGap };
}

const UNSEEN = [{ source: 'story', unwatchedSince: WHOLE_UNTIL, lacks: [] }];

test('after the last pulse of a silent observer, the last known state is marked as such, with the source and the time', async () => {
  const { get } = await follow(60_000);
  const at = plusMillis(PULSE_AT, 30_000);
  const { body } = await get(`/api/locks?at=${at}`);
  expect(locksBody.parse(body)).toMatchObject({
    at,
    locks: [{ name: 'orders:42', held: true, unwatchedSince: WHOLE_UNTIL, certainty: 'inferred' }],
    unseen: UNSEEN,
  });
  const lock = await get(`/api/locks/orders:42?at=${at}`);
  expect(lock.body).toMatchObject({ held: true, unwatchedSince: WHOLE_UNTIL, unseen: UNSEEN });
  const insights = insightsBody.parse((await get(`/api/insights?at=${at}`)).body);
  expect(insights).toMatchObject({ insights: [], unseen: UNSEEN });
  expect(new Set(insights.cannotTell.map(({ reason }) => reason))).toEqual(new Set(['unwatched']));
  const graph = graphBody.parse((await get(`/api/graph?at=${at}`)).body);
  expect(graph).toMatchObject({ cannotTell: [{ source: 'story', reason: 'unwatched' }], unseen: UNSEEN });
  const trends = trendsBody.parse((await get(`/api/trends?from=${at}&to=${at}&bins=1`)).body);
  expect(trends).toMatchObject({ bins: [{ seen: 'unwatched', waitsSeen: false }], unseen: UNSEEN });
  const outline = await get(`/api/outline?from=${seconds(1)}&to=${at}&columns=10`);
  expect(outline.body).toMatchObject({ to: at, blind: [{ source: 'story', from: WHOLE_UNTIL, to: null }] });
  expect((await get(`/api/clients?at=${at}`)).body).toMatchObject({ unseen: UNSEEN });
  expect((await get(`/api/window?from=${at}`)).body).toMatchObject({
    blind: [{ source: 'story', since: WHOLE_UNTIL }],
  });
});

test('what only the observer of a source can do is refused as being watched elsewhere, not as a recording', async () => {
  const opened: LockEvent = {
    ...{ type: 'insight.opened', seq: ACQUIRED.length + 1, at: seconds(1), source: 'story', db: 0, lock: 'orders:42' },
    ...{ kind: 'lock', certainty: 'inferred', insight: 'x', incident: 'abba-deadlock', severity: 'warning' },
    ...{ confidence: 'certain', holders: [] },
  };
  const { get, post } = await follow(0, [...ACQUIRED, opened], 1, true);
  const answers = [
    await post('/api/sources/story/observe', { level: 'events' }),
    await post('/api/sources/story/own-locks', { shown: true }),
    await post('/api/sources/story/measure', {}),
    await post('/api/problems/notes', { insight: 'x', text: 'seen', isAcknowledged: true }),
    await post('/api/locks/orders:42/release', { confirm: 'orders:42', dryRun: true }),
    await get('/api/doctor'),
    await get('/api/doctor?source=story'),
    await get('/api/recording'),
  ];
  for (const { status, body } of answers) {
    expect(body).toMatchObject({ error: { code: 'watched-elsewhere' } });
    expect(status).toBe(409);
  }
});

test('a source without events shows instants since it was first seen, and refuses earlier ones', async () => {
  const { get } = await follow(60_000, []);
  const at = plusMillis(PULSE_AT, 30_000);
  expect(locksBody.parse((await get(`/api/locks?at=${at}`)).body)).toMatchObject({ locks: [], unseen: UNSEEN });
  const { cannotTell } = insightsBody.parse((await get(`/api/insights?at=${at}`)).body);
  expect(new Set(cannotTell.map(({ reason }) => reason))).toEqual(new Set(['unwatched']));
  for (const path of ['graph', 'clients']) expect((await get(`/api/${path}?at=${at}`)).status).toBe(200);
  const before = await get(`/api/locks?at=${plusMillis(seconds(0), -60_000)}`);
  expect(before).toMatchObject({ status: 410, body: { error: { values: { oldestAt: STORY_START } } } });
});

test('if no lock is listed, the silent observer is still reported, and "now" is the time of its last pulse', async () => {
  const { get } = await follow(60_000);
  const { body } = await get(`/api/locks?kind=latch&at=${plusMillis(PULSE_AT, 30_000)}`);
  expect(body).toMatchObject({ locks: [], unseen: UNSEEN });
  expect((await get('/api/locks')).body).toMatchObject({ at: PULSE_AT });
});

test('an instant that the clock of a source has not reached is in the future, even if its observer is silent', async () => {
  const { get } = await follow(60_000);
  const { status, body } = await get(`/api/locks?at=${plusMillis(PULSE_AT, 600_000)}`);
  expect(status).toBe(400);
  expect(body).toMatchObject({ error: { code: 'in-the-future' } });
});

test('an instant before the silence is shown as watched; once the observer sends again, so is an instant during it', async () => {
  const { get, hear } = await follow(60_000);
  const before = locksBody.parse((await get(`/api/locks?at=${seconds(8)}`)).body);
  expect(before.unseen).toBeUndefined();
  expect(before.locks[0]).not.toHaveProperty('unwatchedSince');
  expect(locksBody.parse((await get('/api/locks')).body).locks[0]).toMatchObject({ unwatchedSince: WHOLE_UNTIL });
  hear(redisTime(PULSE_AT + 60_000_000));
  const again = locksBody.parse((await get(`/api/locks?at=${plusMillis(PULSE_AT, 30_000)}`)).body);
  expect(again.unseen).toBeUndefined();
  expect(again.locks[0]).not.toHaveProperty('unwatchedSince');
});

test('a block that is read after its observer fell silent does not show the source as watched', async () => {
  const { get, readLate } = await follow(60_000);
  const at = plusMillis(WHOLE_UNTIL, 500);
  readLate(at);
  await soon(async () => {
    expect(locksBody.parse((await get('/api/locks')).body).locks[0]).toMatchObject({ unwatchedSince: at });
  });
});

test.each([
  [1, true],
  [7, false],
])('if line %i is the first of a run on the bus, it is %s that all locks are known', async (firstLine, isRead) => {
  const { get } = await follow(0, ACQUIRED, firstLine);
  const { body } = await get('/api/health');
  expect(body).toMatchObject({ sources: [{ snapshotAt: isRead ? expect.any(Number) : null }] });
  const [source] = healthBody.parse(body).sources;
  expect(source?.missing).toEqual(isRead ? undefined : { hasLostLines: true });
  const { cannotTell } = insightsBody.parse((await get('/api/insights')).body);
  expect(cannotTell.some(({ reason }) => reason === 'locks')).toBe(!isRead);
});

test('lines that the bus dropped before a gap are unknown, as those of the gap are', async () => {
  const { get, readLateGap } = await follow(0);
  readLateGap(seconds(6), seconds(7));
  await soon(async () => {
    const { body } = await get(`/api/locks?at=${seconds(6.5)}`);
    expect(locksBody.parse(body).locks).toMatchObject([{ unwatchedSince: ACQUIRED.at(-1)?.at }]);
  });
  const { body } = await get(`/api/locks?at=${seconds(3)}`);
  expect(locksBody.parse(body).locks).toMatchObject([{ unwatchedSince: ACQUIRED.at(-1)?.at }]);
});
