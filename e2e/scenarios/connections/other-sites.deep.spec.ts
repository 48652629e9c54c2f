import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { browserSettings } from '../../support/browser-settings.ts';
import { expect, test } from '../stage.ts';

const { launchOptions } = browserSettings;
const LOCK = 'payroll:2026-11:run';

test.use({
  launchOptions: {
    ...launchOptions,
    args: [...launchOptions.args, '--host-resolver-rules=MAP evil.example 127.0.0.1'],
  },
});

/** A page of another site that attacks Lockscope; it records everything that it could read. */
const ATTACK = `<!doctype html><title>another site</title><h1>another site</h1><script>
const read = [];
const note = (what) => (value) => { read.push(what + ': ' + String(value).slice(0, 200)); };
const never = () => undefined;
async function attack(base) {
  const polling = base + '/socket.io/?EIO=4&transport=polling';
  window.___eio = new Proxy([], { get: () => note('json-p') });
  const load = (name, src) => new Promise((done) => {
    const element = document.createElement(name);
    element.onload = () => (name === 'iframe' ? done() : (note(name + ' ' + src)('loaded'), done()));
    element.onerror = done;
    element.src = src;
    document.body.append(element);
  });
  const tries = [load('script', polling + '&j=0'), load('script', base + '/api/locks'), load('iframe', base + '/')];
  for (const path of ['/api/locks', '/api/recording', '/']) {
    for (const mode of ['cors', 'no-cors']) {
      tries.push(fetch(base + path, { mode }).then((answer) => answer.text()).then((text) => text && note('fetch ' + mode)(text), never));
    }
  }
  tries.push(fetch(base + '/api/sources/redis/observe', { method: 'POST', mode: 'no-cors', body: '{"level":"monitor"}' }).catch(never));
  for (let n = 0; n < 120; n += 1) tries.push(load('img', polling + '&n=' + n));
  for (let n = 0; n < 120; n += 1) {
    tries.push(new Promise((done) => {
      const socket = new WebSocket(base.replace('http', 'ws') + '/socket.io/?EIO=4&transport=websocket');
      socket.onopen = note('websocket');
      socket.onmessage = ({ data }) => note('websocket')(data);
      socket.onclose = socket.onerror = done;
    }));
  }
  const stream = new EventSource(base + '/api/events');
  stream.onmessage = ({ data }) => note('event source')(data);
  const form = document.createElement('form');
  form.method = 'POST';
  form.action = base + '/api/sources/redis/observe';
  form.target = 'sink';
  const sink = document.createElement('iframe');
  sink.name = 'sink';
  document.body.append(sink, form);
  form.submit();
  await Promise.all(tries);
  stream.close();
  for (const frame of document.querySelectorAll('iframe')) {
    try { const text = frame.contentDocument && frame.contentDocument.body.innerText; if (text) note('iframe')(text); } catch {}
  }
  return read;
}
</script>`;

test('a page of another site, or on another port, reads nothing, changes nothing and blocks no other page', async ({
  connect,
  watch,
  context,
  pageProblems,
}) => {
  const app = await connect('payroll');
  await app.acquire(LOCK);
  const lockscope = await watch('--observe', 'events');
  const site = createServer((_req, res) => res.writeHead(200, { 'Content-Type': 'text/html' }).end(ATTACK));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const { port } = site.address() as AddressInfo; // a server that listens on TCP has an AddressInfo

  const attackFrom = async (host: string) => {
    const page = await context.newPage();
    await page.goto(`http://${host}:${port}/`);
    const read = await page.evaluate(
      (base) => (window as unknown as { attack(url: string): Promise<string[]> }).attack(base),
      lockscope.url,
    );
    expect(read, host).toEqual([]);
    return page;
  };
  for (const page of await Promise.all(['127.0.0.1', 'evil.example'].map(attackFrom))) {
    const host = page.url();
    expect((await lockscope.health()).sources[0]?.level, host).toBe('events');

    // A link on the site opens the page in a new tab, which the site cannot read.
    const opened = context.waitForEvent('page');
    await page.evaluate((url) => void window.open(url), lockscope.url);
    const tab = await opened;
    await expect(tab.getByText(LOCK).first()).toBeVisible();

    // The operator's own page can still connect.
    const own = await context.newPage();
    await own.goto(lockscope.url);
    await expect(own.getByText(LOCK).first()).toBeVisible();
    // The browser reports, perhaps late, what it blocked on the pages of the site.
    for (const problem of pageProblems.splice(0)) expect(problem, host).toContain("frame-ancestors 'none'");
    for (const each of [page, tab, own]) await each.close();
  }
  await new Promise((resolve) => {
    site.closeAllConnections();
    site.close(resolve);
  });
});
