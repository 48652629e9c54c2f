import { expect, test } from 'vitest';
import { makeMemoryObservatory } from '../../testing/memory-observatory.ts';
import { serveTestApp } from '../../testing/test-app.ts';
import { createGuard } from '../guard/guard.ts';
import { API_ROUTES, DEMO_ROUTES } from '../routes/all.ts';
import { curlLine, operationsOf } from './curl-line.ts';
import { docsPage } from './docs-page.ts';
import { documentOf } from './document.ts';

const DOCUMENT = documentOf([...API_ROUTES, ...DEMO_ROUTES], '1.2.3');
const AT = 'http://127.0.0.1:4680';

function commandOf(wanted: string): string | undefined {
  const found = operationsOf(DOCUMENT).find(({ operation }) => operation.operationId === wanted);
  return found && curlLine(AT, found.path, found.method, found.operation);
}

test('the page has every route with its parameters, and every schema', () => {
  const page = docsPage(DOCUMENT, '', AT);
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.sort()).toEqual(
    [
      ...operationsOf(DOCUMENT).map(({ operation }) => operation.operationId),
      ...Object.keys(DOCUMENT.components.schemas).map((name) => `schema-${name}`),
    ].sort(),
  );
  for (const [, id = ''] of page.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(id);
  expect(page).toContain('<code>cursor</code></th><td>query</td><td class="value">integer, at least 0</td>');
  expect(page).toContain('locks: <a href="#schema-Lock">Lock</a>[]');
});

test('the example commands on the page have a value for each required parameter', () => {
  expect(commandOf('getLock')).toBe(`curl '${AT}/api/locks/orders%3A42'`);
  expect(commandOf('getNamedLock')).toBe(`curl '${AT}/api/lock?name=orders%3A42'`);
  expect(commandOf('streamEvents')).toBe(`curl -N '${AT}/api/events/stream'`);
  expect(commandOf('stopScenario')).toBe(`curl -X POST '${AT}/api/demo/stop'`);
  expect(commandOf('deleteRecording')).toBe(`curl -X DELETE '${AT}/api/recordings/ID'`);
  expect(commandOf('downloadMemory')).toBe(`curl -OJ '${AT}/api/recording'`);
  expect(commandOf('releaseLock')).toBe(
    `curl -H 'Content-Type: application/json' -d '{"confirm":"orders:42","dryRun":true}' '${AT}/api/locks/orders%3A42/release'`,
  );
  expect(commandOf('addRecording')).toBe(
    `curl -H 'Content-Type: application/octet-stream' --data-binary @FILE '${AT}/api/recordings?name=x.lockscope'`,
  );
});

test('foreign text is escaped in HTML, and quoted in commands', () => {
  const page = docsPage(DOCUMENT, `/"><script>'`, AT);
  expect(page).not.toContain('<script');
  expect(page).toContain('href="/&#34;&#62;&#60;script&#62;&#39;/api/openapi.json"');
  const command = `curl '${AT}/"><script>'\\''/api/locks'`;
  expect(page).toContain(command.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`));
});

test('the page is served under /api without anything that the security headers forbid', async () => {
  const app = await serveTestApp(makeMemoryObservatory());
  try {
    for (const path of ['/api', '/api/']) {
      const { status, headers, body } = await app.get(path);
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(body).toContain(`curl &#39;${app.base}/api/health&#39;`);
      expect(body).not.toMatch(/<script|<style| style=| on\w+=|https?:\/\/(?!127\.0\.0\.1)/);
      expect(body).not.toContain('/api/demo');
    }
    expect((await app.get('/api/', { method: 'POST' })).status).toBe(404);
  } finally {
    await app.close();
  }
});

test('a token in the URL of the page is removed', async () => {
  const guard = createGuard({ host: '127.0.0.1', token: 's3cret' });
  const app = await serveTestApp(makeMemoryObservatory(), { guard });
  try {
    expect((await app.get('/api/')).status).toBe(401);
    const { status, headers } = await app.get('/api/?token=s3cret');
    expect([status, headers.get('location')]).toEqual([303, '/api/']);
  } finally {
    await app.close();
  }
});
