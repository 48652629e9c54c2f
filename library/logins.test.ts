import { createServer, type IncomingMessage, type Server } from 'node:http';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { TICKET_MS } from '../server/http/guard/tickets.ts';
import { TestPage } from '../server/testing/open-page.ts';
import { soon } from '../server/testing/soon.ts';
import { createLockscope, type LockscopeOptions } from './lockscope.ts';
import { HANDSHAKE, portOf, RawConnection } from './testing/raw-connection.ts';

const ends: (() => unknown)[] = [];

afterEach(async () => {
  vi.useRealTimers();
  for (const end of ends.splice(0).reverse()) await end();
});

/** An application with a login, and a Lockscope behind it under `/ops/locks`. */
async function application(options: Partial<LockscopeOptions> = {}) {
  const warnings: string[] = [];
  const log = { warn: (line: string) => void warnings.push(line), error: (line: string) => void warnings.push(line) };
  const lockscope = await createLockscope({ redis: 'redis://127.0.0.1:1', basePath: '/ops/locks', log, ...options });
  const app = { isLoggedIn: true, warnings, lockscope };
  const server = createServer((req, res) => {
    res.setHeader('Set-Cookie', 'session=of-the-application');
    if (!app.isLoggedIn) return void res.writeHead(401).end();
    lockscope.router(req, res, () => res.end('own page'));
  });
  lockscope.attach(server);
  ends.push(() => lockscope.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${portOf(server)}`;
  return Object.assign(app, { server, origin, url: `${origin}/ops/locks` });
}

type Application = Awaited<ReturnType<typeof application>>;

/** The cookies that a browser keeps for this machine, whatever the port. */
class Jar {
  readonly cookies = new Map<string, string>();

  get header(): string {
    return [...this.cookies].map((pair) => pair.join('=')).join('; ');
  }

  async visit({ url }: Application, path = '/api/health'): Promise<Response> {
    const answer = await fetch(url + path, { headers: { cookie: this.header } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.cookies.set(name, value);
    }
    return answer;
  }
}

/** The status of the answer to a handshake of the live channel; 101: it is open. */
async function handshake(server: Server, cookie: string): Promise<number | undefined> {
  const path = '/ops/locks/socket.io/?EIO=4&transport=websocket&asked=1';
  const connection = new RawConnection(server).ask(`GET ${path}`, [...HANDSHAKE, `Cookie: ${cookie}`]);
  ends.push(() => connection.end());
  await soon(() => expect(connection.statuses).not.toEqual([]));
  return connection.statuses[0];
}

async function openPage({ origin }: Application, jar: Jar): Promise<TestPage> {
  const page = new TestPage(origin, { path: '/ops/locks/socket.io', extraHeaders: { cookie: jar.header } });
  ends.push(() => page.socket.disconnect());
  await page.connected();
  page.socket.emit('hello', { v: 1 });
  await soon(() => expect(page.snapshot).toBeDefined());
  return page;
}

/** Fakes the clock and intervals; sockets work as usual. */
const withClock = () => vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });

describe('the live channel of a page', () => {
  test('stays open while requests of the page pass the login, and ends minutes after the login has ended', async () => {
    withClock();
    const app = await application();
    const [jar, others] = [new Jar(), new Jar()];
    await jar.visit(app);
    const page = await openPage(app, jar);
    for (let n = 0; n < 5; n++) {
      vi.advanceTimersByTime(TICKET_MS - 10_000);
      await jar.visit(app);
    }
    expect(page.socket.connected).toBe(true);
    app.isLoggedIn = false;
    expect((await jar.visit(app)).status).toBe(401);
    await others.visit(app);
    vi.advanceTimersByTime(TICKET_MS + 5000);
    await soon(() => expect(page.socket.connected).toBe(false));
    expect(await handshake(app.server, jar.header)).toBe(403);
    app.isLoggedIn = true;
    await jar.visit(app);
    expect(await handshake(app.server, jar.header)).toBe(101);
  });

  test('does not stay open for the requests of another page', async () => {
    withClock();
    const app = await application();
    const [jar, other] = [new Jar(), new Jar()];
    await jar.visit(app);
    const page = await openPage(app, jar);
    for (let n = 0; n < 3; n++) {
      vi.advanceTimersByTime(TICKET_MS / 2);
      await other.visit(app);
    }
    await soon(() => expect(page.socket.connected).toBe(false));
  });
});

test('a stream of events ends when its login ends', async () => {
  withClock();
  const app = await application();
  const answer = await fetch(`${app.url}/api/events/stream`);
  const reader = answer.body?.getReader();
  const isOver = async () => {
    for (;;) if ((await reader?.read())?.done) return true;
  };
  const over = isOver();
  vi.advanceTimersByTime(TICKET_MS + 5000);
  expect(await over).toBe(true);
});

describe('authorize', () => {
  test('is called with the handshake as it was sent, and can refuse it', async () => {
    const asked: IncomingMessage[] = [];
    let isAllowed = true;
    const app = await application({
      authorize: async (req) => {
        asked.push(req);
        return isAllowed;
      },
    });
    const jar = new Jar();
    await jar.visit(app);
    expect(await handshake(app.server, jar.header)).toBe(101);
    expect(asked[0]?.url).toBe('/ops/locks/socket.io/?EIO=4&transport=websocket&asked=1');
    expect(asked[0]?.headers.cookie).toContain('session=of-the-application');
    isAllowed = false;
    expect(await handshake(app.server, jar.header)).toBe(403);
    expect(asked).toHaveLength(2);
    expect(await handshake(app.server, 'session=of-the-application')).toBe(403); // the ticket is needed as well
    expect(asked).toHaveLength(2);
  });

  test('ends an open channel, and an open stream', async () => {
    withClock();
    let isAllowed = true;
    const app = await application({ authorize: () => isAllowed });
    const jar = new Jar();
    await jar.visit(app);
    const page = await openPage(app, jar);
    const stream = await fetch(`${app.url}/api/events/stream`, { headers: { cookie: jar.header } });
    isAllowed = false;
    vi.advanceTimersByTime(35_000);
    await soon(() => expect(page.socket.connected).toBe(false));
    await stream.text(); // settles at its end
  });

  test('does not open a channel if it answers after Lockscope has ended', async () => {
    let answer: (isAllowed: boolean) => void = () => undefined;
    let isAsked = false;
    const app = await application({
      authorize: () => {
        isAsked = true;
        return new Promise<boolean>((resolve) => (answer = resolve));
      },
    });
    const jar = new Jar();
    await jar.visit(app);
    const status = handshake(app.server, jar.header);
    await soon(() => expect(isAsked).toBe(true));
    await app.lockscope.close();
    answer(true);
    expect(await status).toBe(403);
  });

  test('does no harm if it answers after the client has left', async () => {
    let answer: (isAllowed: boolean) => void = () => undefined;
    let asked = 0;
    const app = await application({
      authorize: () => {
        asked++;
        return asked === 1 ? new Promise<boolean>((resolve) => (answer = resolve)) : true;
      },
    });
    const jar = new Jar();
    await jar.visit(app);
    const connection = new RawConnection(app.server);
    const headers = [...HANDSHAKE, `Cookie: ${jar.header}`];
    connection.ask('GET /ops/locks/socket.io/?EIO=4&transport=websocket', headers);
    await soon(() => expect(asked).toBe(1));
    connection.end();
    await soon(() => expect(connection.isClosed).toBe(true));
    answer(true);
    expect(await handshake(app.server, jar.header)).toBe(101);
  });
});

describe('cookies', () => {
  test('of two applications on one host do not replace each other, and a page of each keeps its channel', async () => {
    const [one, other] = [await application(), await application()];
    const jar = new Jar();
    for (const app of [one, other, one]) await jar.visit(app);
    expect([...jar.cookies.keys()].filter((name) => name.startsWith('lockscope-'))).toHaveLength(2);
    expect([await handshake(one.server, jar.header), await handshake(other.server, jar.header)]).toEqual([101, 101]);
  });

  test('of copies of one application with a secret are valid at each copy, also after a restart', async () => {
    const secret = 'what all copies of it share';
    const [one, copy, stranger] = [await application({ secret }), await application({ secret }), await application()];
    const jar = new Jar();
    await jar.visit(one);
    const statuses = [one, copy, stranger].map(({ server }) => handshake(server, jar.header));
    expect(await Promise.all(statuses)).toEqual([101, 101, 403]);
    await jar.visit(copy);
    expect(jar.cookies.size).toBe(2);
  });

  test('without a secret are set again by the next request of the page after a restart', async () => {
    const [before, after] = [await application(), await application()];
    const jar = new Jar();
    await jar.visit(before);
    expect(await handshake(after.server, jar.header)).toBe(403);
    await jar.visit(after);
    expect(await handshake(after.server, jar.header)).toBe(101);
  });

  test('of the application are kept, and those of Lockscope are set once, for the base path only', async () => {
    const app = await application();
    const jar = new Jar();
    for (const path of ['/api/health', '/recordings/0123456789abcdef/', '/no/such/page']) {
      const set = (await new Jar().visit(app, path)).headers.getSetCookie();
      expect(set[0]).toBe('session=of-the-application');
      expect(set.slice(1)).toEqual([
        expect.stringMatching(/^lockscope-.*; Path=\/ops\/locks; HttpOnly; SameSite=Strict$/),
      ]);
    }
    await jar.visit(app);
    expect((await jar.visit(app)).headers.getSetCookie()).toHaveLength(1);
  });
});

test('an unknown host is refused, and the log names the option', async () => {
  const app = await application();
  const connection = new RawConnection(app.server);
  ends.push(() => connection.end());
  const rebound = ['GET /ops/locks/api/locks HTTP/1.1', 'Host: evil.example', 'Origin: http://evil.example', '', ''];
  connection.write(rebound.join('\r\n')).write(rebound.join('\r\n'));
  await soon(() => expect(connection.statuses).toEqual([403, 403]));
  expect(app.warnings.filter((line) => line.includes('evil.example'))).toEqual([
    expect.stringContaining('add it to "hosts"'),
  ]);
});
