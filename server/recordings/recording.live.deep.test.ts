import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { demoBody } from '../../shared/wire/demo.ts';
import { errorBody, eventsBody, healthBody, locksBody, signalsBody, spansBody } from '../../shared/wire/http.ts';
import { lockDetailSchema } from '../../shared/wire/locks/lock.ts';
import { parseRecording } from '../../testing/stories/record-and-replay.ts';
import { startDemoStage } from '../demo/stage.ts';
import { type CommandConnection, openCommandConnection } from '../redis/connection/command-connection.ts';
import { TestPage } from '../testing/open-page.ts';
import { Program } from '../testing/program.ts';

const LOCK = 'orders:42';
const SECRET = 'not-for-any-file';

type Stage = Awaited<ReturnType<typeof startDemoStage>>;

let dir: string;
let stage: Stage;
let connection: CommandConnection;
const programs: Program[] = [];

function lockscope(...words: string[]): Program {
  const program = new Program([...words, '--port', '0', '--no-open']);
  programs.push(program);
  return program;
}

async function get<S extends z.ZodType>(url: string, path: string, schema: S): Promise<z.output<S>> {
  const response = await fetch(url + path);
  expect(response.status, `${path}: ${response.statusText}`).toBe(200);
  return schema.parse(await response.json());
}

const eventsOf = async (url: string) => (await get(url, '/api/events?after=0&limit=5000', eventsBody)).events;

/** Contention, re-entry, a refused unlock, an expiry, and traffic without locks. */
async function makeHistory(): Promise<void> {
  const does = (client: string, action: 'lock' | 'unlock' | 'tryLock', body: object = {}) =>
    stage.threadAction(client, 1, action, { lock: LOCK, ...body }).done;
  await connection.call('SET', 'session:1', SECRET);
  await does('A', 'lock');
  await does('A', 'lock');
  const waiting = does('B', 'lock');
  await expect.poll(() => connection.call('PUBSUB', 'CHANNELS', '*')).not.toEqual([]);
  await does('C', 'unlock');
  await does('A', 'unlock');
  await does('A', 'unlock');
  await waiting;
  await connection.call('HSET', `${SECRET}:hash`, SECRET, SECRET);
  await does('B', 'unlock');
  await does('C', 'lock', { leaseMs: 5000 }); // long enough to be read while it runs, at level `events`
  await expect.poll(() => connection.call('EXISTS', LOCK)).toBe(0);
  await connection.call('EVAL', `redis.call('set', KEYS[1], ARGV[1])`, '1', SECRET, SECRET);
}

/** Waits until Redis is observed. */
async function observes(url: string): Promise<void> {
  await expect.poll(async () => (await get(url, '/api/health', healthBody)).status).toBe('ok');
}

/** Waits until the newest event is reported and no further events arrive. */
async function settled(url: string): Promise<void> {
  await expect
    .poll(async () => (await eventsOf(url)).slice(-2).map(({ type }) => type), { interval: 100 })
    .toContain('lease.expired');
}

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'lockscope-live-'));
  stage = await startDemoStage();
  connection = openCommandConnection({ url: stage.redisUrl });
  await connection.whenReady(60_000);
  await connection.call('CONFIG', 'SET', 'notify-keyspace-events', 'Eghxe'); // what level `events` needs
});

afterEach(async () => {
  await Promise.all(programs.splice(0).map((program) => program.kill()));
});

afterAll(async () => {
  connection?.close();
  await stage?.close();
  rmSync(dir, { recursive: true, force: true });
});

describe.each(['monitor', 'events'])('recorded at level %s', (level) => {
  test('the file has the same events as the live API, after a clean end and after kill -9', async () => {
    const file = join(dir, `${level}.lockscope`);
    const live = lockscope(stage.redisUrl, '--observe', level, '--record', file);
    const url = await live.ready();
    await observes(url);
    await makeHistory();
    await settled(url);
    const reported = await eventsOf(url);
    const [source] = (await get(url, '/api/health', healthBody)).sources;
    expect(source?.recorder).toMatchObject({ file: `${level}.lockscope`, state: 'writing' });

    // Events are written to disk while the recording goes on, so they are there even if the process is killed.
    await expect
      .poll(async () => (await opened(file)).events.length, { interval: 300 })
      .toBeGreaterThanOrEqual(reported.length);
    await live.kill();
    const killed = await opened(file);
    expect(killed.events.slice(0, reported.length)).toEqual(reported);
    expect(killed.source?.recording).toMatchObject({ cutShort: true });

    const clean = join(dir, `${level}-clean.lockscope`);
    const second = lockscope(stage.redisUrl, '--observe', level, '--record', clean);
    const secondUrl = await second.ready();
    await observes(secondUrl);
    await makeHistory();
    await settled(secondUrl);
    const secondReported = await eventsOf(secondUrl);
    expect(await second.end('SIGTERM')).toBe(0);
    const whole = await opened(clean);
    expect(whole.events.slice(0, secondReported.length)).toEqual(secondReported);
    expect(whole.source?.recording).toMatchObject({ cutShort: false, badLines: { count: 0 } });
    expect(whole.text).not.toContain(SECRET);
  });
});

async function opened(file: string) {
  const text = gunzipSync(readFileSync(file), { finishFlush: 2 }).toString();
  const program = lockscope('open', file);
  const url = await program.ready();
  const events = await eventsOf(url);
  const [source] = (await get(url, '/api/health', healthBody)).sources;
  await program.end('SIGTERM');
  return { text, events, source };
}

test('a recording from the live API opens, and has the events, spans, locks and refusals of the live source', async () => {
  const live = lockscope(stage.redisUrl, '--observe', 'monitor');
  const url = await live.ready();
  await observes(url);
  await makeHistory();
  await settled(url);
  const response = await fetch(`${url}/api/recording`);
  expect(response.headers.get('content-type')).toBe('application/gzip');
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="lockscope-[\dTZ-]+\.lockscope"$/);
  const bytes = Buffer.from(await response.arrayBuffer());
  const recording = parseRecording(gunzipSync(bytes).toString());
  expect(recording).toMatchObject({ ok: true, value: { badCount: 0, header: { startedAt: expect.any(Number) } } });
  const file = join(dir, 'cut.lockscope');
  writeFileSync(file, bytes);
  const replay = lockscope('open', file);
  const replayUrl = await replay.ready();

  const name = encodeURIComponent(LOCK);
  const both = async <S extends z.ZodType>(path: string, schema: S) =>
    Promise.all([get(url, path, schema), get(replayUrl, path, schema)]);
  const [events, replayed] = await both('/api/events?after=0&limit=5000', eventsBody);
  const last = events.events.at(-1);
  const ends = last?.seq ?? 0;
  expect(replayed.events.slice(0, ends)).toEqual(events.events.slice(0, ends));
  const [spans, replayedSpans] = await both(`/api/spans?lock=${name}`, spansBody);
  expect(replayedSpans.spans).toEqual(spans.spans);
  const [signals, replayedSignals] = await both('/api/events/1/signals', signalsBody);
  expect(replayedSignals.signals.length).toBe(signals.signals.length);
  const at = events.events[3]?.at ?? 0;
  const [past, replayedPast] = await both(`/api/locks/${name}?at=${at}`, lockDetailSchema);
  expect(replayedPast.holders).toEqual(past.holders);
  const [locks, replayedLocks] = await both('/api/locks', locksBody);
  expect(replayedLocks.locks.map(({ id, held }) => [id, held])).toEqual(locks.locks.map(({ id, held }) => [id, held]));
  const [health, replayedHealth] = await both('/api/health', healthBody);
  expect(replayedHealth.sources[0]?.redisVersion).toBe(health.sources[0]?.redisVersion);
  expect(replayedHealth).toMatchObject({ status: 'ok', demo: false });

  for (const base of [url, replayUrl]) {
    for (const [path, status] of [
      ['/api/locks/none', 404],
      ['/api/events?limit=0', 400],
      ['/api/recording?from=5&to=4', 400],
      ['/api/recording?to=4', 404],
      ['/api/recording?source=none', 404],
      ['/api/demo', 404],
      ['/api/insights', 200],
      ['/api/graph', 200],
      ['/api/waits', 200],
      ['/api/recording', 200],
    ] as const) {
      const answer = await fetch(base + path);
      expect(answer.status, `${base}${path}`).toBe(status);
      if (status >= 400) errorBody.parse(await answer.json());
      else await answer.arrayBuffer();
    }
  }
  const observe = await fetch(`${replayUrl}/api/sources/redis/observe`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"level":"events"}',
  });
  expect(observe.status).toBe(409);
  expect(errorBody.parse(await observe.json()).error.message).toContain('This is a recording');

  const page = new TestPage(replayUrl);
  page.socket.emit('hello', { v: 1 });
  await expect.poll(() => page.snapshot?.seq).toBe(replayed.events.at(-1)?.seq);
  expect(page.snapshot?.sources[0]?.recording?.name).toBe('cut.lockscope');
  page.socket.disconnect();
});

describe('a program ends with one line and exit code 1', () => {
  test('if the file of --record already exists, and if the file to open is not a recording', async () => {
    const file = join(dir, 'there');
    writeFileSync(file, 'hello');
    for (const words of [
      [stage.redisUrl, '--record', file],
      ['open', file],
    ]) {
      const program = lockscope(...words);
      expect(await program.ended()).toBe(1);
      expect(program.err.trimEnd().split('\n')).toHaveLength(1);
    }
  });
});

test('a demo without redis-server plays a recording', async () => {
  const bin = join(dir, 'bin');
  mkdirSync(bin);
  symlinkSync(process.execPath, join(bin, 'node'));
  const program = new Program(['demo', '--port', '0', '--no-open'], { PATH: bin });
  programs.push(program);
  const url = await program.ready();
  expect(program.err).toContain('No redis-server found. Install it');
  expect(await get(url, '/api/demo', demoBody)).toMatchObject({ recorded: true, scenario: 'two-threads' });
  await expect.poll(async () => (await get(url, '/api/demo', demoBody)).step).toBe(4);
  await expect
    .poll(async () => (await get(url, '/api/locks', locksBody)).locks)
    .toMatchObject([{ held: true, waiters: [{ asleep: true }] }]);
  const frozen = await fetch(`${url}/api/demo/clients/A/freeze`, { method: 'POST' });
  expect(frozen.status).toBe(409);
  expect(await program.end('SIGINT')).toBe(0);
});
