import { io, type Socket } from 'socket.io-client';
import { OverviewPage } from '../../pages/overview-page.ts';
import { cookieOf } from '../../support/lockscope/cookie-of.ts';
import type { Lockscope } from '../../support/lockscope/lockscope.ts';
import { expect, test } from '../stage.ts';

const PLACES = 100;

/** How many connect at once: a busy server answers a hundred of them too late. */
const AT_ONCE = 10;

async function openPages(lockscope: Lockscope): Promise<Socket[]> {
  const sockets: Socket[] = [];
  const { url, headers } = lockscope.api;
  const cookie = headers.cookie ?? (await cookieOf(url));
  const api = { url, headers: { ...headers, cookie } };
  while (sockets.length < PLACES)
    sockets.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => openPage(api)))));
  return sockets;
}

function openPage(api: Lockscope['api']): Promise<Socket> {
  const { origin, pathname } = new URL(api.url);
  const path = `${pathname.replace(/\/$/, '')}/socket.io`;
  const once = { transports: ['websocket'], reconnection: false, forceNew: true };
  const socket = io(origin, { path, extraHeaders: api.headers, ...once });
  return new Promise((resolve, reject) => {
    socket.on('connect', () => socket.emit('hello', { v: 1 }));
    socket.on('snapshot', () => resolve(socket));
    socket.on('connect_error', reject);
    socket.on('disconnect', (reason) => reason !== 'io client disconnect' && socket.connect());
  });
}

test('a page beyond the limit reports that, tries again, and is served when a place is free', async ({
  connect,
  watch,
  page,
}) => {
  const app = await connect('order-svc-1');
  await app.acquire('orders:42');
  const lockscope = await watch();
  const others = await openPages(lockscope);
  try {
    const overview = new OverviewPage(page);
    await overview.open(lockscope.url);
    await expect(overview.banner).toContainText('Too many pages are open.');
    await expect(overview.banner).toContainText('Close one of them. This page retries every 5 s.');
    await expect(page.getByText('Lockscope cannot serve this page now.')).toBeVisible();
    await expect(overview.health).toContainText('Not connected');
    await overview.expectAccessible('too many pages');
    others[0]?.disconnect();
    await expect(overview.row('orders:42')).toBeVisible();
    await expect(overview.banner).toHaveCount(0);
    await expect(overview.status('Live')).toBeVisible();
  } finally {
    for (const socket of others) socket.disconnect();
  }
});
