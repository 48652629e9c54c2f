import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { redisTime } from '../../shared/base/time.ts';
import { dumpBody, dumpDetailBody, dumpsBody } from '../../shared/wire/dumps.ts';
import { insightsBody } from '../../shared/wire/insights/insight.ts';
import { holderOf, seconds, story } from '../../testing/stories/story.ts';
import { DumpStore } from '../dumps/dump-store.ts';
import { readDump } from '../dumps/read-dump.ts';
import { observeStoryAt } from '../testing/story-observatory.ts';
import { serveTestApp, type TestApp } from '../testing/test-app.ts';

const DUMPS = new URL('../../shared/traces/dumps/', import.meta.url);
const dump = (name: string) => readFileSync(new URL(`redisson-4.7.0.${name}`, DUMPS), 'utf8');
const [CLIENT = ''] = holderOf('A').split(':');

/** What the threads of the dumps do: 23 holds orders:42, 24 waits for it; 25 has taken stock:7 and ended. */
const EVENTS = story(
  `orders:42 lease 30s
   0.000 A23 attempts acquired
   0.100 A24 attempts refused
   0.101 A24 subscribes
   0.102 A24 attempts refused
   10.000 A23 renews
   20.000 A23 renews`,
  `stock:7 lease 30s
   20.001 A25 attempts acquired
   30.001 A25 renews`,
);
let app: TestApp | undefined;
afterEach(() => app?.close());

/** A Lockscope at second 40 of the story. */
async function serve() {
  const dumps = new DumpStore(async (bytes) => readDump(bytes));
  app = await serveTestApp(observeStoryAt(40, EVENTS), { dumps });
  const { get, post } = app;
  const add = (text: string, query = '', type = 'text/plain') =>
    get(`/api/thread-dumps${query}`, { method: 'POST', body: text, headers: { 'Content-Type': type } });
  const report = async (query = '') => insightsBody.parse((await get(`/api/insights${query}`)).body);
  const insights = async (query = '') => (await report(query)).insights;
  return { get, post, add, insights, report };
}

describe('/api/thread-dumps', () => {
  test('keeps a dump, finds its client by the waiting threads, and shows holders and waiters', async () => {
    const { get, add } = await serve();
    const added = dumpBody.parse((await add(dump('jstack.txt'), '?name=jstack.txt')).body).dump;
    expect(added).toMatchObject({ name: 'jstack.txt', format: 'print', threads: 28, waiting: 1, takenAt: null });
    expect(added).toMatchObject({ client: CLIENT, clientBy: 'threads', localTime: '2026-11-23 09:12:33' });
    const { people } = dumpDetailBody.parse((await get(`/api/thread-dumps/${added.id}`)).body);
    const byId = new Map(people.map((person) => [person.holder, person]));
    expect(byId.get(holderOf('A23'))?.thread).toMatchObject({
      ...{ name: 'orders-1', state: 'BLOCKED' },
      waitsFor: { ownerId: 24, ownerName: 'orders-2', className: 'java.lang.Object' },
    });
    expect(byId.get(holderOf('A24'))?.thread?.ownFrame).toMatch(/^org\.redisson\.RedissonLock\.lock\(/);
    expect(byId.get(holderOf('A25'))).toEqual({ holder: holderOf('A25'), found: 'missing' });
    const filtered = await get(`/api/thread-dumps/${added.id}?holders=${holderOf('A1')}`);
    expect(dumpDetailBody.parse(filtered.body).people).toMatchObject([{ found: 'thread', thread: { name: 'main' } }]);
  });

  test('takes texts and JSON with their own content types, and refuses other types', async () => {
    const { add } = await serve();
    expect(await add(dump('actuator.json'), '', 'application/json')).toMatchObject({ status: 200 });
    expect(await add(dump('kill-3.txt'), '', 'application/octet-stream')).toMatchObject({ status: 200 });
    expect(await add(dump('kill-3.txt'), '', 'text/html')).toMatchObject({ status: 415 });
  });

  test('leads to verdicts about a deadlock across Redis and the JVM, and about a thread that has ended, once the instant is known', async () => {
    const { add, post, insights, report } = await serve();
    const { kinds } = await report();
    const { id } = dumpBody.parse((await add(dump('thread-print-l.txt'))).body).dump;
    expect(await insights()).toEqual([]);
    const taken = await post(`/api/thread-dumps/${id}`, { takenAt: seconds(35) });
    expect(dumpBody.parse(taken.body).dump).toMatchObject({ takenAt: seconds(35), takenAtBy: 'user' });
    const found = await insights();
    expect(found.map(({ incident }) => incident)).toEqual(['jvm-redis-deadlock', 'holder-thread-ended']);
    expect((await report()).kinds).toBe(kinds + 2);
    expect(found[0]?.explanation).toContain('waits inside its JVM for a lock (java.lang.Object)');
    expect(await insights('?lock=stock:7')).toMatchObject([{ holders: [holderOf('A25')] }]);
    await post(`/api/thread-dumps/${id}`, { takenAt: null });
    expect(await insights()).toEqual([]);
    await post(`/api/thread-dumps/${id}`, { takenAt: seconds(35), client: 'another' });
    expect(await insights()).toEqual([]);
  });

  test('assumes a time zone for a dump of just now; no verdict relies on it, and the user can confirm or reject it', async () => {
    const { add, post, insights } = await serve();
    const local = new Date(seconds(35) / 1000 + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
    const text = dump('thread-print-l.txt').replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/, local);
    const { id, ...added } = dumpBody.parse((await add(text)).body).dump;
    expect(added).toMatchObject({ localTime: local, takenAt: seconds(35), takenAtBy: 'assumed' });
    expect(await insights()).toEqual([]);
    const confirmed = await post(`/api/thread-dumps/${id}`, { takenAt: seconds(35) });
    expect(dumpBody.parse(confirmed.body).dump).toMatchObject({ takenAtBy: 'user' });
    expect(await insights()).toHaveLength(2);
    const refused = await post(`/api/thread-dumps/${id}`, { takenAt: null });
    expect(dumpBody.parse(refused.body).dump).toMatchObject({ takenAt: null, takenAtBy: null });
  });

  test('adds to the graph what a thread waits for inside its JVM', async () => {
    const { get, add } = await serve();
    await add(dump('jstack.txt'), `?takenAt=${seconds(35)}`);
    const { edges } = (await get('/api/graph')).body as { edges: { kind: string }[] }; // checked by its schema in get
    expect(edges.filter(({ kind }) => kind === 'blocked')).toEqual([
      {
        ...{ from: `thread ${holderOf('A23')}`, to: `thread ${holderOf('A24')}`, kind: 'blocked', mode: 'exclusive' },
        ...{ since: seconds(35), threads: 1 },
      },
    ]);
  });

  test('keeps the client that the sender names; without a name, assumes a client only if its waiters prove it', async () => {
    const { add } = await serve();
    const named = dumpBody.parse((await add(dump('jstack.txt'), '?client=mine')).body).dump;
    expect(named).toMatchObject({ client: 'mine', clientBy: 'user' });
    const other = dump('jstack.txt').replaceAll('"orders-2" #24', '"orders-2" #99');
    expect(dumpBody.parse((await add(other)).body).dump).toMatchObject({ client: null, clientBy: null });
  });

  test('names the fault of a text, a field or an id', async () => {
    const { get, post, add } = await serve();
    expect(await add('hello')).toMatchObject({
      status: 422,
      body: { error: { code: 'not-a-thread-dump', field: 'body', values: { why: 'not-a-dump' } } },
    });
    const late = await add(dump('jstack.txt'), `?takenAt=${seconds(41)}`);
    expect(late).toMatchObject({ status: 400, body: { error: { code: 'in-the-future', field: 'takenAt' } } });
    expect(await get('/api/thread-dumps/nope')).toMatchObject({ status: 404 });
    expect(await post('/api/thread-dumps/nope', {})).toMatchObject({
      body: { error: { code: 'unknown-thread-dump' } },
    });
    const big = 'x'.repeat(20 * 1024 * 1024 + 1);
    expect(await add(big)).toMatchObject({ status: 413, body: { error: { code: 'thread-dump-too-large' } } });
    expect(dumpsBody.parse((await get('/api/thread-dumps')).body).dumps).toEqual([]);
  });

  test('refuses a dump beyond twenty, until another is deleted', async () => {
    const { get, add } = await serve();
    for (let n = 0; n < 20; n++) await add('"a" #1 prio=5 tid=0x1 nid=0x1 x\n', `?name=${n}`);
    expect(await add(dump('jstack.txt'))).toMatchObject({
      status: 507,
      body: { error: { code: 'thread-dumps-full' } },
    });
    const { dumps, room } = dumpsBody.parse((await get('/api/thread-dumps')).body);
    expect([dumps.length, dumps[0]?.name, room.dumps]).toEqual([20, '19', 20]);
    const left = await get(`/api/thread-dumps/${dumps[0]?.id}`, { method: 'DELETE' });
    expect(dumpsBody.parse(left.body).dumps).toHaveLength(19);
    expect(await add(dump('jstack.txt'))).toMatchObject({ status: 200 });
  });

  test('uses no more than its share of the memory of the process', async () => {
    const dumpStore = new DumpStore(async (bytes) => readDump(bytes), 8 * 100_000);
    const text = new TextEncoder().encode(dump('jstack.txt'));
    const bytes = {
      async *[Symbol.asyncIterator]() {
        yield text;
      },
    };
    const seen = { now: () => seconds(40), clients: async () => [] };
    const addOne = () => dumpStore.add({ name: null, length: text.length, bytes }, {}, seen);
    await expect(async () => {
      for (let n = 0; n < 20; n++) await addOne();
    }).rejects.toMatchObject({ status: 507, problem: { code: 'thread-dumps-full' } });
    expect(dumpStore.list().length).toBeGreaterThan(1);
    expect(dumpStore.room().usedBytes).toBeLessThanOrEqual(100_000);
  });

  test('uses the instant in a dump, but not if the clock of the JVM is far ahead', async () => {
    const { add } = await serve();
    const file = (ms: number) => `1\n${new Date(ms).toISOString()}\n21.0.4+7-LTS\n\n#1 "main"\n      a.B.c(B.java:1)\n`;
    const at = seconds(30) / 1000;
    expect(dumpBody.parse((await add(file(at))).body).dump).toMatchObject({
      ...{ takenAt: redisTime(at * 1000), takenAtBy: 'dump' },
    });
    expect(dumpBody.parse((await add(file(at + 60_000))).body).dump).toMatchObject({ takenAt: null });
  });
});
