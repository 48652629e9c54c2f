import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { eventsBody, locksBody } from '../shared/wire/http.ts';
import { recordingBody, recordingsBody } from '../shared/wire/recordings.ts';
import { type ReadFile, readRecordingFile } from './recordings/read-file.ts';
import { openRecording } from './recordings/replay-observatory.ts';
import { TestPage } from './testing/open-page.ts';
import { serveRecordings, TWO_THREADS, twoThreads } from './testing/serve-recordings.ts';
import { soon } from './testing/soon.ts';
import { StreamReader } from './testing/stream-reader.ts';

let tmp: string;
let lockscope: Awaited<ReturnType<typeof serveRecordings>>;
const folders = () => readdirSync(tmp).filter((name) => name.startsWith('lockscope-recordings-'));
const entryOf = ({ body }: { body: unknown }) => recordingBody.parse(body).recording;
const listOf = ({ body }: { body: unknown }) => recordingsBody.parse(body).recordings;

beforeEach(async () => {
  tmp = mkdtempSync(join(tmpdir(), 'lockscope-test-'));
  vi.stubEnv('TMPDIR', tmp);
  lockscope = await serveRecordings();
});
afterEach(async () => {
  await lockscope.end();
  vi.unstubAllEnvs();
  rmSync(tmp, { recursive: true });
});

describe('an uploaded recording', () => {
  test('is listed with its contents, and has pages and an API under its path', async () => {
    const { summary, observatory } = await openRecording(TWO_THREADS, { memory: 0 });
    const entry = entryOf(await lockscope.upload(twoThreads(), 'night.lockscope'));
    expect(entry).toMatchObject({
      name: 'night.lockscope',
      origin: 'uploaded',
      bytes: twoThreads().length,
      isOpen: true,
      cutShort: false,
      source: { id: summary.source.id, url: summary.source.url },
      startedAt: summary.startedAt,
      endsAt: summary.endsAt,
      events: observatory.history.nextSeq() - 1,
    });
    expect(entry.events).toBeGreaterThan(5);
    expect(listOf(await lockscope.ask('GET', '/api/recordings'))).toEqual([entry]);
    const page = await fetch(`${lockscope.url}${entry.path}`, { headers: { accept: 'text/html' } });
    expect(page.status === 200 ? await page.text() : 'not built').toMatch(
      new RegExp(`data-base="/recordings/${entry.id}" data-home=""|not built`),
    );
    for (const at of [summary.startedAt + 1_000_000, summary.endsAt]) {
      const path = `/api/locks?at=${at}`;
      const shown = locksBody.parse((await lockscope.ask('GET', `${entry.path.slice(0, -1)}${path}`)).body);
      expect(shown).toEqual(locksBody.parse((await lockscope.ask('GET', path)).body));
    }
  });

  test('has an API description and a stream of its events under its path; the stream ends when the recording is deleted', async () => {
    const entry = entryOf(await lockscope.upload(twoThreads()));
    const path = `${entry.path.slice(0, -1)}/api/events`;
    const reader = await StreamReader.open(`${lockscope.url}${path}/stream?after=0`);
    await soon(() => expect(reader.events).toHaveLength(entry.events ?? 0));
    const { body } = await lockscope.ask('GET', `${path}?after=0`);
    expect(reader.events).toEqual(eventsBody.parse(body).events);
    const { body: document } = await lockscope.ask('GET', `${entry.path.slice(0, -1)}/api/openapi.json`);
    expect(document).toMatchObject({ servers: [{ url: entry.path.slice(0, -1) }] });
    await lockscope.ask('DELETE', `/api/recordings/${entry.id}`);
    await soon(() => expect(reader.isEnded).toBe(true));
    expect(reader.response.complete).toBe(true);
  });

  test('has a live channel under its path, which ends with a reason when the recording is deleted', async () => {
    const entry = entryOf(await lockscope.upload(twoThreads()));
    const page = new TestPage(lockscope.url, { path: `${entry.path}socket.io` });
    await page.connected();
    page.socket.emit('hello', { v: 1 });
    await soon(() => expect(page.snapshot?.sources[0]?.recording?.name).toBe('x.lockscope'));
    expect(listOf(await lockscope.ask('DELETE', `/api/recordings/${entry.id}`))).toEqual([]);
    await soon(() => expect(page.types).toContain('problem'));
    await soon(() => expect(page.socket.connected).toBe(false));
    await expect(new TestPage(lockscope.url, { path: `${entry.path}socket.io` }).connected()).rejects.toThrow();
    expect((await lockscope.ask('GET', `${entry.path}api/health`)).status).toBe(404);
    expect((await lockscope.ask('GET', '/recordings/x/api/health')).status).toBe(404);
  });

  test('is kept under a generated name, in a folder for this user only, which is deleted at the end', async () => {
    const entry = entryOf(await lockscope.upload(twoThreads(), '../../etc/passwd\u202e'));
    expect(entry.name).toBe('../../etc/passwd\u202e');
    const [folder = ''] = folders();
    expect(readdirSync(join(tmp, folder))).toEqual([`${entry.id}.lockscope`]);
    expect(statSync(join(tmp, folder)).mode & 0o777).toBe(0o700);
    expect(statSync(join(tmp, folder, `${entry.id}.lockscope`)).mode & 0o777).toBe(0o600);
    const file = await fetch(`${lockscope.url}/api/recordings/${entry.id}/file`);
    expect(file.headers.get('content-disposition')).toBe(
      `attachment; filename=".._.._etc_passwd_"; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd%E2%80%AE`,
    );
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(twoThreads());
    await lockscope.end();
    expect(folders()).toEqual([]);
  });
});

test('the text of MONITOR is kept as a recording of its lock signals, and opens', async () => {
  const text = [
    'OK',
    '1795218450.100000 [0 10.0.0.9:1] "SET" "password" "hunter2"',
    '1795218451.000001 [0 10.0.0.7:51422] "SET" "redlock" "0a000000-0000-4000-8000-000000000001" "NX" "PX" "30000"',
    'a line that MONITOR does not write',
    '1795218452.000001 [0 10.0.0.9:1] "PING"',
  ].join('\r\n');
  const entry = entryOf(await lockscope.upload(new Uint8Array(gzipSync(text)), 'monitor.txt.gz'));
  expect(entry).toMatchObject({ name: 'monitor.txt.gz', isText: true, isOpen: true, badLines: 1 });
  const file = await fetch(`${lockscope.url}/api/recordings/${entry.id}/file`);
  const kept = gunzipSync(Buffer.from(await file.arrayBuffer())).toString();
  expect(kept).not.toMatch(/hunter2|password/);
  const [folder = ''] = folders();
  expect(readdirSync(join(tmp, folder))).toEqual([`${entry.id}.lockscope`]);
  expect((await lockscope.ask('GET', `${entry.path}api/locks`)).status).toBe(200);
});

test('events in memory are saved, and open with the same locks at the same instants', async () => {
  const [saved, ...others] = listOf(
    await lockscope.ask('POST', '/api/recordings/save', {
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
    }),
  );
  expect(others).toEqual([]);
  expect(saved).toMatchObject({ origin: 'saved', isOpen: false, cutShort: false });
  if (!saved?.startedAt || !saved.endsAt) throw new Error('it has no time');
  const { recording } = recordingBody.parse((await lockscope.ask('POST', `/api/recordings/${saved.id}/open`)).body);
  expect(recording.isOpen).toBe(true);
  expect(saved.startedAt).toBeLessThan(saved.endsAt - 5_000_000);
  for (let at = saved.startedAt; at <= saved.endsAt; at += 1_000_000) {
    const [there, here] = await Promise.all(
      [saved.path, '/'].map(async (base) => (await lockscope.ask('GET', `${base}api/locks?at=${at}`)).body),
    );
    const held = (body: unknown) =>
      locksBody
        .parse(body)
        .locks.map(({ name, holders, waiters }) => [name, holders.map(({ id }) => id), waiters.length]);
    expect(held(there)).toEqual(held(here));
  }
});

test('if too many recordings are open, the recording unused for longest is closed, and opened again when its page loads', async () => {
  await lockscope.end();
  lockscope = await serveRecordings({ memoryMb: 256 });
  const first = entryOf(await lockscope.upload(twoThreads(), 'first'));
  const second = entryOf(await lockscope.upload(twoThreads(), 'second'));
  const { body } = await lockscope.ask('GET', '/api/recordings');
  expect(recordingsBody.parse(body).room.open).toBe(1);
  expect(listOf({ body }).map(({ name, isOpen }) => [name, isOpen])).toEqual([
    ['second', true],
    ['first', false],
  ]);
  const closed = await lockscope.ask('GET', `${first.path}api/health`);
  expect(closed).toMatchObject({
    status: 409,
    body: { error: { code: 'recording-closed', values: { name: 'first' } } },
  });
  await fetch(`${lockscope.url}${first.path}timeline`, { headers: { accept: 'text/html' } });
  expect((await lockscope.ask('GET', `${first.path}api/health`)).status).toBe(200);
  expect((await lockscope.ask('GET', `${second.path}api/health`)).status).toBe(409);
});

describe('a hostile file is refused and leaves nothing behind', () => {
  const header = '{"lockscope":"recording","format":1,"source":{}}';
  test.each<[string, () => Buffer, number, string]>([
    ['not gzip, not a recording', () => Buffer.from('GIF89a'), 422, 'not-a-recording'],
    ['an empty file', () => Buffer.alloc(0), 422, 'not-a-recording'],
    ['a newer format', () => Buffer.from(header.replace('1', '9')), 422, 'recording-newer'],
    ['a header of nonsense', () => gzipSync(header), 422, 'recording-damaged'],
    ['broken gzip', () => Buffer.from([0x1f, 0x8b, 1, 2, 3]), 422, 'not-a-recording'],
    ['zeros, packed', () => gzipSync(Buffer.alloc(5_000_000)), 422, 'not-a-recording'],
  ])('%s', async (_, content, status, code) => {
    const answer = await lockscope.upload(new Uint8Array(content()));
    expect(answer).toMatchObject({ status, body: { error: { code } } });
    expect(listOf(await lockscope.ask('GET', '/api/recordings'))).toEqual([]);
    for (const folder of folders()) expect(readdirSync(join(tmp, folder))).toEqual([]);
    expect((await lockscope.ask('GET', '/api/health')).status).toBe(200);
  });

  test('a file that is too large is refused before it is read', async () => {
    const status = await new Promise((resolve, reject) => {
      const call = request(`${lockscope.url}/api/recordings?name=x`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/octet-stream', 'Content-Length': 257 * 1024 * 1024 },
      });
      call.on('response', (answer) => resolve(answer.statusCode));
      call.on('error', reject).flushHeaders();
      onTestFinished(() => void call.destroy());
    });
    expect(status).toBe(413);
    expect(existsSync(join(tmp, folders()[0] ?? 'none'))).toBe(false);
  });
});

test('an upload is no longer read after its sender has left, and leaves nothing behind', async () => {
  await lockscope.end();
  const read: AbortSignal[] = [];
  const readRecording: ReadFile = (path, take, options) => {
    const { signal } = options ?? {};
    if (!signal || read.length > 0) return readRecordingFile(path, take, options);
    read.push(signal);
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  lockscope = await serveRecordings({ readRecording });
  const leaving = new AbortController();
  const init = { method: 'POST', headers: { 'Content-Type': 'application/octet-stream' }, body: twoThreads() };
  const left = fetch(`${lockscope.url}/api/recordings?name=x`, { ...init, signal: leaving.signal });
  await soon(() => expect(read).toHaveLength(1));
  leaving.abort();
  await expect(left).rejects.toThrow();
  await soon(() => expect(read[0]?.aborted).toBe(true));
  // The next upload has its turn, and the first upload is not kept.
  expect((await lockscope.upload(twoThreads())).status).toBe(200);
  expect(listOf(await lockscope.ask('GET', '/api/recordings'))).toHaveLength(1);
});

describe('the guard refuses', () => {
  const foreign = { Origin: 'http://evil.example', 'Sec-Fetch-Site': 'cross-site' };
  const image = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' };
  const statusOf = (method: string, path: string, headers: Record<string, string>) =>
    new Promise((resolve, reject) => {
      const call = request(lockscope.url + path, { method, headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      call.on('error', reject).end();
    });

  test('other hosts, other sites and other origins, for every route of recordings and for the mounted recordings', async () => {
    const { id, path } = entryOf(await lockscope.upload(twoThreads()));
    const routes: [string, string][] = [
      ['GET', '/api/recordings'],
      ['POST', '/api/recordings?name=x'],
      ['POST', '/api/recordings/save'],
      ['POST', `/api/recordings/${id}/open`],
      ['GET', `/api/recordings/${id}/file`],
      ['DELETE', `/api/recordings/${id}`],
      ['GET', `${path}api/locks`],
      ['GET', `${path}socket.io/?EIO=4&transport=polling`],
      ['GET', `${path}api/recording`],
      ['POST', `${path}api/sources/x/observe`],
    ];
    for (const [method, each] of routes) {
      expect(await statusOf(method, each, { Host: 'evil.example' }), each).toBe(403);
      expect(await statusOf(method, each, foreign), each).toBe(403);
      expect(await statusOf(method, each, image), each).toBe(403);
    }
    expect(await statusOf('GET', path, { Host: 'evil.example' })).toBe(403);
    expect(await statusOf('GET', path, image)).toBe(403);
    const evil = { path: `${path}socket.io`, extraHeaders: { Origin: 'https://evil.example' } };
    await expect(new TestPage(lockscope.url, evil).connected()).rejects.toThrow();
    expect(listOf(await lockscope.ask('GET', '/api/recordings'))).toHaveLength(1);
  });

  test('a body that a form of another site could send', async () => {
    for (const type of ['text/plain', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded']) {
      expect((await lockscope.upload(twoThreads(), 'x', { 'Content-Type': type })).status).toBe(415);
    }
  });

  test('visitors without the token', async () => {
    await lockscope.end();
    lockscope = await serveRecordings({ token: 's3cret-s3cret-s3cret' });
    const headers = { Authorization: 'Bearer s3cret-s3cret-s3cret' };
    expect((await lockscope.upload(twoThreads())).status).toBe(401);
    const { id, path } = entryOf(await lockscope.upload(twoThreads(), 'x', headers));
    for (const each of ['/api/recordings', `/api/recordings/${id}/file`, path, `${path}api/locks`]) {
      expect((await lockscope.ask('GET', each)).status, each).toBe(401);
    }
    expect((await lockscope.ask('GET', `${path}api/locks`, { headers })).status).toBe(200);
    await expect(new TestPage(lockscope.url, { path: `${path}socket.io` }).connected()).rejects.toThrow();
    const entered = await fetch(`${lockscope.url}${path}timeline?token=s3cret-s3cret-s3cret&at=5`, {
      redirect: 'manual',
      headers: { accept: 'text/html' },
    });
    expect([entered.status, entered.headers.get('location')]).toEqual([303, `${path}timeline?at=5`]);
  });
});

test('answers of a recording have the same security headers as other answers', async () => {
  const { path } = entryOf(await lockscope.upload(twoThreads()));
  const policies = await Promise.all(
    [`${path}api/health`, '/api/health'].map(async (each) => {
      const { headers } = await fetch(lockscope.url + each);
      return [headers.get('content-security-policy'), headers.get('x-frame-options')];
    }),
  );
  expect(policies[0]).toEqual(policies[1]);
  expect(policies[0]?.[0]).toContain("default-src 'self'");
});
