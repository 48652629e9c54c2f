import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeMemoryObservatory } from '../testing/memory-observatory.ts';
import { serveTestApp, type TestApp } from '../testing/test-app.ts';
import { createGuard } from './guard/guard.ts';

let app: TestApp;
let webDir: string;

beforeEach(async () => {
  webDir = mkdtempSync(join(tmpdir(), 'lockscope-web-'));
  app = await serveTestApp(makeMemoryObservatory(), { webDir });
});

afterEach(async () => {
  await app.close();
  rmSync(webDir, { recursive: true });
});

describe('access', () => {
  test('requests with a foreign Host or Origin are refused', async () => {
    expect(await app.rawStatus({ Host: 'evil.example' })).toBe(403);
    expect(await app.rawStatus({ Host: 'localhost:1' })).toBe(200);
    expect(await app.rawStatus({ Origin: 'http://evil.example' }, 'POST', '/api/demo/stop')).toBe(403);
    expect(await app.rawStatus({}, 'POST', '/api/demo/stop')).toBe(404);
  });

  test('requests that another site causes are refused, except a link to the page', async () => {
    const other = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' };
    const link = { ...other, 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document', Accept: 'text/html' };
    writeFileSync(join(webDir, 'index.html'), '<!doctype html>page');
    expect(await app.rawStatus(other)).toBe(403);
    expect(await app.rawStatus(link)).toBe(403);
    expect(await app.rawStatus(other, 'GET', '/')).toBe(403);
    expect(await app.rawStatus(link, 'GET', '/locks/orders')).toBe(200);
  });

  test('ten wrong tokens start a pause, and the response contains its length', async () => {
    await app.close();
    const guard = createGuard({ host: '0.0.0.0', token: 's3cret' });
    app = await serveTestApp(makeMemoryObservatory(), { webDir, guard });
    const guess = () => app.get('/api/health', { headers: { Authorization: 'Bearer guess' } });
    for (let n = 0; n < 10; n += 1) expect((await guess()).status).toBe(401);
    const paused = await guess();
    expect(paused).toMatchObject({ status: 429, body: { error: { code: 'too-many-tries' } } });
    expect(Number(paused.headers.get('retry-after'))).toBeGreaterThan(50);
  });

  test('a code in the URL opens the page once and is removed from the URL', async () => {
    await app.close();
    const guard = createGuard({ host: '127.0.0.1', token: 's3cret', openCode: 'once' });
    app = await serveTestApp(makeMemoryObservatory(), { webDir, guard });
    const first = await app.get('/?code=once&at=5');
    expect([first.status, first.headers.get('location')]).toEqual([303, '/?at=5']);
    expect((await app.get('/?code=once')).status).toBe(401);
  });

  test('an answer of the API has the security headers', async () => {
    const { headers } = await app.get('/api/health');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("object-src 'none'");
    expect(policy).toContain(`connect-src 'self' ${app.base.replace('http', 'ws')}`);
    expect(policy).not.toContain('unsafe');
    expect(policy).not.toContain('upgrade-insecure-requests');
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('strict-transport-security')).toBeNull();
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('API and page require a token, which is removed from the URL', async () => {
    writeFileSync(join(webDir, 'index.html'), '<!doctype html>page');
    await app.close();
    const guard = createGuard({ host: '0.0.0.0', token: 's3cret' });
    app = await serveTestApp(makeMemoryObservatory(), { webDir, guard });
    expect(await app.get('/api/health')).toMatchObject({ status: 401, body: { error: { code: 'token-required' } } });
    expect((await app.get('/', { headers: { Accept: 'text/html' } })).status).toBe(401);
    expect((await app.get('/api/health', { headers: { Authorization: 'Bearer s3cret' } })).status).toBe(200);

    const first = await app.get('/locks?db=2&token=s3cret');
    expect(first.status).toBe(303);
    expect(first.headers.get('location')).toBe('/locks?db=2');
    const Cookie = first.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect(await app.get('/locks', { headers: { Cookie, Accept: 'text/html' } })).toMatchObject({ status: 200 });
    expect((await app.get('//evil.example/?token=s3cret')).headers.get('location')).toBe('/evil.example/');
  });
});

describe('the page', () => {
  test('is served for the paths of the page, but not for files that do not exist', async () => {
    writeFileSync(join(webDir, 'index.html'), '<!doctype html>page');
    mkdirSync(join(webDir, 'assets'));
    writeFileSync(join(webDir, 'assets', 'app-abc123.js'), 'export {};');
    const html = { headers: { Accept: 'text/html,*/*' } };
    for (const path of ['/', '/locks/orders.42', '/events?type=lock.acquired']) {
      const { status, body, headers } = await app.get(path, html);
      expect({ status, body }).toEqual({ status: 200, body: '<!doctype html>page' });
      expect(headers.get('cache-control')).toBe('no-cache');
    }
    const asset = await app.get('/assets/app-abc123.js', html);
    expect(asset.headers.get('cache-control')).toContain('immutable');
    expect((await app.get('/assets/gone.js', html)).status).toBe(404);
    expect((await app.get('/favicon.ico', { headers: { Accept: 'image/*' } })).status).toBe(404);
    expect((await app.get('/..%2f..%2fetc/passwd', html)).body).not.toContain('root:');
    expect((await app.get('/', { method: 'POST' })).status).toBe(404);
  });

  test('is sent in the smallest encoding that the browser accepts', async () => {
    const assets = join(webDir, 'assets');
    mkdirSync(assets);
    const script = 'export {};';
    for (const name of ['all-abc123.js', 'plain-abc123.js']) writeFileSync(join(assets, name), script);
    writeFileSync(join(assets, 'all-abc123.js.br'), brotliCompressSync(script));
    writeFileSync(join(assets, 'all-abc123.js.gz'), gzipSync(script));
    const sent = async (path: string, codings: string) => {
      const { status, body, headers } = await app.get(path, { headers: { 'Accept-Encoding': codings } });
      expect({ status, body }).toEqual({ status: 200, body: script });
      expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      expect(headers.get('cache-control')).toContain('immutable');
      expect(headers.get('vary')).toBe('Accept-Encoding');
      return headers.get('content-encoding');
    };
    expect(await sent('/assets/all-abc123.js', 'gzip, br')).toBe('br');
    expect(await sent('/assets/all-abc123.js?v=1', 'gzip, br')).toBe('br');
    expect(await sent('/assets/all-abc123.js', 'gzip')).toBe('gzip');
    expect(await sent('/assets/all-abc123.js', 'br;q=0, gzip;q=0.5')).toBe('gzip');
    expect(await sent('/assets/all-abc123.js', 'identity')).toBe(null);
    expect(await sent('/assets/plain-abc123.js', 'gzip, br')).toBe(null);
    const gone = await app.get('/assets/gone.js', { headers: { 'Accept-Encoding': 'br' } });
    expect([gone.status, gone.headers.get('content-encoding')]).toEqual([404, null]);
  });

  test('answers 503 if it is not built', async () => {
    const { status, body } = await app.get('/', { headers: { Accept: 'text/html' } });
    expect(status).toBe(503);
    expect(body).toContain('npm run build:web');
  });
});
