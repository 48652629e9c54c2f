import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { errorBody, eventsBody, healthBody, locksBody, signalsBody, spansBody } from '../../shared/wire/http.ts';
import { lockBody } from '../../shared/wire/locks/lock.ts';
import { acquired, released } from '../testing/make-events.ts';
import { type MemoryObservatory, makeMemoryObservatory } from '../testing/memory-observatory.ts';
import { serveTestApp, type TestApp } from '../testing/test-app.ts';
import type { AppContext } from './app-context.ts';

let observatory: MemoryObservatory;
let app: TestApp;

async function serve(change: Partial<AppContext> = {}): Promise<void> {
  await app?.close();
  app = await serveTestApp(observatory, change);
}
const get: TestApp['get'] = (path, init) => app.get(path, init);
const post: TestApp['post'] = (path, body) => app.post(path, body);

beforeEach(async () => {
  observatory = makeMemoryObservatory();
  await serve();
});

afterEach(async () => {
  await app.close();
});

describe('reading', () => {
  test('health shows a status, the version and the state of the history', async () => {
    observatory.record(acquired('orders:42', 'u1:7'));
    const { body, status } = await get('/api/health');
    expect(status).toBe(200);
    expect(healthBody.parse(body)).toMatchObject({
      status: 'ok',
      version: '1.2.3',
      demo: false,
      history: { events: 1, oldestSeq: 1, nextSeq: 2, capped: false },
    });
  });

  test.each([
    [{ status: 'reconnecting' }, 'down'],
    [{ guard: { state: 'tripped', reason: 'lag' } }, 'degraded'],
  ] as const)('health with %j is %s', async (change, status) => {
    observatory.setSource(change);
    expect((await get('/api/health')).body).toMatchObject({ status });
  });

  test('locks are filtered, and returned in pages', async () => {
    for (let n = 0; n < 5; n += 1) observatory.record(acquired(`orders:${n}`, 'u1:1'));
    observatory.record(acquired('Invoices', 'u1:1'), released('Invoices', 'u1:1'));
    const all = locksBody.parse((await get('/api/locks')).body);
    expect(all.total).toBe(6);
    expect(all.nextCursor).toBeUndefined();

    const seen: string[] = [];
    let cursor: string | undefined = '0';
    while (cursor !== undefined) {
      const page = locksBody.parse((await get(`/api/locks?limit=2&held=true&cursor=${cursor}`)).body);
      expect(page.total).toBe(5);
      seen.push(...page.locks.map((lock) => lock.name));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(['orders:0', 'orders:1', 'orders:2', 'orders:3', 'orders:4']);

    const names = async (query: string) =>
      locksBody.parse((await get(`/api/locks?${query}`)).body).locks.map((l) => l.name);
    expect(await names('q=INVOI')).toEqual(['Invoices']);
    expect(await names('held=false')).toEqual(['Invoices']);
    expect(await names('kind=latch')).toEqual([]);
    expect(await names('db=3')).toEqual([]);
  });

  test.each(['a/b c?d#e%', 'schlüssel:☃', '"quoted"\\', '<img src=x>', '...', '\u202eabc', 'x'.repeat(5000)])(
    'a lock named %j is found by its encoded name',
    async (name) => {
      observatory.record(acquired(name, 'u1:7'));
      const { body, status } = await get(`/api/locks/${encodeURIComponent(name)}`);
      expect(status).toBe(200);
      expect(lockBody.parse(body)).toMatchObject({ name, held: true, stats: { acquisitions: 1 } });
      expect(body).toMatchObject({ v: 1 });
    },
  );

  test.each(['', '.', '..'])('a lock named %j, which no path can contain, is found by ?name=', async (name) => {
    observatory.record(acquired(name, 'u1:7'));
    expect((await get(`/api/lock?name=${name}`)).body).toMatchObject({ name, held: true });
    expect((await get('/api/lock')).status).toBe(400);
  });

  test('a lock is returned as of an instant', async () => {
    const [first, second] = observatory.record(acquired('a', 'u1:7'), released('a', 'u1:7'));
    expect((await get(`/api/locks/a?at=${first?.at}`)).body).toMatchObject({ held: true, at: first?.at });
    expect((await get(`/api/locks/a?at=${second?.at}`)).body).toMatchObject({ held: false });
    expect(await get('/api/locks/a?at=1')).toMatchObject({ status: 410, body: { error: { code: 'forgotten' } } });
    observatory.record(acquired('b', 'u1:7'));
    const early = await get(`/api/locks/b?at=${second?.at}`);
    expect(early).toMatchObject({ status: 404, body: { error: { code: 'not-in-memory' } } });
  });

  test('a list as of a dropped instant is refused, and the error has the oldest instant in memory', async () => {
    const [first] = observatory.record(acquired('a', 'u1:7'));
    const { status, body } = await get('/api/locks?at=1');
    expect(status).toBe(410);
    const { error } = errorBody.parse(body);
    expect(error).toMatchObject({ code: 'forgotten', field: 'at', values: { oldestAt: first?.at } });
    expect(error.message).toContain('Memory goes back to 2025-');
    expect((await get(`/api/locks?at=${first?.at}`)).status).toBe(200);
  });

  test('the response for an unknown path contains the path as requested', async () => {
    const { status, body } = await get('/api/nothing');
    expect(status).toBe(404);
    expect(errorBody.parse(body).error).toMatchObject({
      code: 'unknown-path',
      message: 'There is no GET /api/nothing.',
    });
  });

  test('a path that has only other methods is refused, and the header Allow lists its methods', async () => {
    const { status, headers, body } = await get('/api/locks', { method: 'DELETE' });
    expect({ status, body }).toMatchObject({ status: 405, body: { error: { code: 'wrong-method' } } });
    expect(headers.get('allow')).toBe('GET, HEAD');
    expect((await get('/api/thread-dumps/x', { method: 'PUT' })).headers.get('allow')).toBe('GET, POST, DELETE, HEAD');
  });

  test('an API path below an unknown recording or source is answered with 404, not with a page', async () => {
    for (const path of ['/recordings/x/api/health', '/sources/x/api/health', '/sources/x/metrics']) {
      expect(await get(path), path).toMatchObject({ status: 404, body: { error: { code: 'nothing-here' } } });
    }
  });

  test('a name that two locks have is refused, and the error has the source and database of each', async () => {
    observatory.record({ ...acquired('a', 'u1:7'), db: 0 }, { ...acquired('a', 'u2:8'), db: 3 });
    const { status, body } = await get('/api/locks/a');
    expect(status).toBe(409);
    expect(errorBody.parse(body).error).toMatchObject({ code: 'ambiguous-lock', field: 'name' });
    expect(errorBody.parse(body).error.hint).toContain('?source=main&db=3');
    expect((await get('/api/locks/a?db=3')).body).toMatchObject({ db: 3, holders: [{ id: 'u2:8' }] });
  });

  test('nextSeq leads from page to page to the end', async () => {
    observatory.record(...Array.from({ length: 7 }, (_, n) => acquired(`lock:${n}`, 'u1:1')));
    const seen: number[] = [];
    let after = 0;
    for (let pages = 0; pages < 3; pages += 1) {
      const page = eventsBody.parse((await get(`/api/events?after=${after}&limit=3`)).body);
      seen.push(...page.events.map((event) => event.seq));
      after = page.nextSeq - 1;
    }
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(after).toBe(7);
    const newest = eventsBody.parse((await get('/api/events?limit=2')).body);
    expect(newest.events.map((event) => event.seq)).toEqual([6, 7]);
    expect(newest).toMatchObject({ nextSeq: 8, oldestSeq: 1 });
  });

  test('events are filtered by lock, type and holder; the signals of an event are returned while they are in memory', async () => {
    observatory.record(acquired('a', 'u1:1'), released('a', 'u1:1'), acquired('b', 'u2:2'));
    const seqs = async (query: string) =>
      eventsBody.parse((await get(`/api/events?${query}`)).body).events.map((e) => e.seq);
    expect(await seqs('lock=a')).toEqual([1, 2]);
    expect(await seqs('type=lock.acquired')).toEqual([1, 3]);
    expect(await seqs('holder=u2%3A2')).toEqual([3]);
    expect(signalsBody.parse((await get('/api/events/2/signals')).body).signals).toEqual(['line of 2']);
    expect(await get('/api/events/9/signals')).toMatchObject({ body: { error: { code: 'event-not-in-memory' } } });
    Object.assign(observatory.history, { signals: async () => undefined });
    expect(await get('/api/events/2/signals')).toMatchObject({ body: { error: { code: 'lines-not-in-memory' } } });
    expect(spansBody.parse((await get('/api/spans?from=1&to=2')).body)).toEqual({ v: 1, spans: [], truncated: false });
  });

  test.each(['locks', 'clients', 'insights', 'problems', 'doctor'])(
    '/api/%s of a source that does not exist is refused',
    async (list) => {
      const { status, body } = await get(`/api/${list}?source=man`);
      expect({ status, body }).toMatchObject({
        status: 404,
        body: { error: { code: 'unknown-source', field: 'source' } },
      });
    },
  );

  test.each(['locks', 'clients', 'insights'])(
    '/api/%s of the past is refused if its source is not watched and has no event in memory',
    async (list) => {
      const [first] = observatory.record(acquired('a', 'u1:7'), { ...acquired('b', 'u1:7'), source: 'removed' });
      const statusOf = async (source: string) => (await get(`/api/${list}?source=${source}&at=${first?.at}`)).status;
      expect([await statusOf('man'), await statusOf('removed'), await statusOf('main')]).toEqual([404, 200, 200]);
    },
  );

  test('paths without a route, and routes that are switched off, are answered with errors', async () => {
    for (const path of ['/api/recording', '/metrics', '/api/nothing', '/api/locks/none']) {
      const { status, body } = await get(path);
      expect(status, path).toBe(404);
      errorBody.parse(body);
    }
    expect((await post('/api/locks/a/release', { confirm: 'a' })).status).toBe(403);
    await serve({ allowRelease: true });
    expect((await post('/api/locks/a/release', { confirm: 'a', holders: [] })).status).toBe(404);
  });
});

describe('bad input', () => {
  test.each([
    ['/api/locks?limit=0', 'limit'],
    ['/api/locks?limit=1e9', 'limit'],
    ['/api/locks?held=maybe', 'held'],
    ['/api/locks?kind=mutex', 'kind'],
    ['/api/locks?q=a&q=b', 'q'],
    ['/api/locks?at=9000000000000000', 'at'],
    ['/api/locks/a?at=yesterday', 'at'],
    ['/api/events?after=-1', 'after'],
    ['/api/events?after=1&before=5', 'before'],
    ['/api/events?type=lock.stolen', 'type'],
    ['/api/costs?against=5', 'against'],
    ['/api/costs?against=5,1', 'against'],
    ['/api/events?db=x', 'db'],
    ['/api/events/x/signals', 'seq'],
    ['/api/spans?db=-1', 'db'],
    ['/api/spans?from=5&to=1', 'to'],
    ['/api/spans?minMs=-1', 'minMs'],
    ['/api/window', 'from'],
    ['/api/window?from=5&to=1', 'to'],
    ['/api/window?from=9000000000000000', 'from'],
    ['/api/trends?bins=0', 'bins'],
    ['/api/trends?from=5&to=1', 'to'],
    ['/api/locks/%zz', 'path'],
    ['/api/locks?db=', 'db'],
    ['/api/locks?at=', 'at'],
    ['/api/locks?cursor=%20', 'cursor'],
    ['/api/events?after=0x10', 'after'],
    ['/api/events?to=1.79604e15', 'to'],
    ['/api/spans?minMs=1e3', 'minMs'],
    ['/api/events/0x1/signals', 'seq'],
  ])('GET %s: the error names the field %s', async (path, field) => {
    const { status, body } = await get(path);
    expect(status).toBe(400);
    expect(errorBody.parse(body).error.field).toBe(field);
    expect(JSON.stringify(body)).not.toContain('node_modules');
  });

  test('a body must be JSON, have the JSON content type, and not be too large', async () => {
    const observe = (headers: Record<string, string>, body: string) =>
      get('/api/sources/main/observe', { method: 'POST', headers, body });
    expect((await observe({ 'Content-Type': 'text/plain' }, '{"level":"events"}')).status).toBe(415);
    const json = { 'Content-Type': 'application/json' };
    expect(await observe(json, '{')).toMatchObject({
      status: 400,
      body: { error: { code: 'bad-json', field: 'body' } },
    });
    expect((await observe(json, JSON.stringify({ level: 'x'.repeat(3_000_000) }))).status).toBe(413);
    expect(await observe(json, '{"level":"all"}')).toMatchObject({ status: 400, body: { error: { field: 'level' } } });
    expect(await observe(json, '[]')).toMatchObject({ status: 400 });
    expect((await post('/api/sources/main/observe')).status).toBe(400);
    expect(app.mistakes).toEqual([]);
  });

  test('a body of brackets is refused before it is parsed', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const parse = vi.spyOn(JSON, 'parse');
    const path = '/api/sources/main/observe';
    const refused = await get(path, { method: 'POST', headers, body: `{"level":${'['.repeat(2_000_000)}` });
    const longest = Math.max(...parse.mock.calls.map(([text]) => text.length));
    parse.mockRestore();
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'bad-json', field: 'body' } } });
    expect(longest).toBeLessThan(10_000);
  });

  test('an internal error is logged, and the response contains no stack', async () => {
    await serve({ observatory: { ...observatory, sources: () => JSON.parse('{') } });
    const { status, body } = await get('/api/health');
    expect(status).toBe(500);
    expect(Object.keys(errorBody.parse(body).error)).toEqual(['code', 'values', 'message', 'hint']);
    expect(app.mistakes).toHaveLength(1);
  });
});

describe('switching the level', () => {
  test('returns the source with the new level', async () => {
    const { status, body } = await post('/api/sources/main/observe', { level: 'snapshot' });
    expect({ status, body }).toMatchObject({ status: 200, body: { v: 1, source: { id: 'main', level: 'snapshot' } } });
  });

  test('returns why the server refuses the level, and the next step', async () => {
    expect(await post('/api/sources/main/observe', { level: 'monitor', forMs: 5000 })).toMatchObject({
      status: 409,
      body: { error: { code: 'monitor-refused', hint: expect.stringContaining('+monitor') } },
    });
    expect((await post('/api/sources/other/observe', { level: 'events' })).status).toBe(404);
  });
});
