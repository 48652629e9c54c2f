import { createServer } from 'node:http';
import { afterEach, expect, test, vi } from 'vitest';
import { TICKET_MS } from '../server/http/guard/tickets.ts';
import { soon } from '../server/testing/soon.ts';
import { connect } from './client.ts';
import { createLockscope } from './lockscope.ts';
import { portOf } from './testing/raw-connection.ts';

const ends: (() => unknown)[] = [];

afterEach(async () => {
  vi.useRealTimers();
  for (const end of ends.splice(0).reverse()) await end();
});

test('inside an application, a live client renews its ticket, and reconnects with a new one', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  const log = { warn: () => undefined, error: () => undefined };
  const lockscope = await createLockscope({ redis: 'redis://127.0.0.1:1', basePath: '/locks', log });
  ends.push(() => lockscope.close());
  let asked = 0;
  const server = createServer((req, res) => {
    if (req.headers.authorization !== 'Basic right') return void res.writeHead(401).end();
    asked++;
    lockscope.router(req, res);
  });
  lockscope.attach(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const links: string[] = [];
  const client = connect(`http://127.0.0.1:${portOf(server)}/locks`, { headers: { authorization: 'Basic right' } });
  const live = client.live({ link: (link) => links.push(link) });
  ends.push(() => live.close());
  await soon(() => expect(live.link).toBe('live'));
  for (let n = 0; n < 10; n++) {
    const before = asked;
    vi.advanceTimersByTime(60_000);
    await soon(() => expect(asked).toBeGreaterThan(before));
  }
  expect(links).toEqual(['live']);
  // The process sleeps: its ticket has ended when it wakes.
  vi.setSystemTime(Date.now() + TICKET_MS);
  vi.advanceTimersByTime(5000);
  await soon(() => expect(links).toEqual(['live', 'lost', 'live']));
});
