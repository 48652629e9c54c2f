import { io, type Socket } from 'socket.io-client';
import { seriousFindings } from '../pages/axe.ts';
import { OverviewPage } from '../pages/overview-page.ts';
import { connectApp } from '../support/clients/app.ts';
import type { Lockscope } from '../support/clients/lockscope.ts';
import { expect, test } from './stage.ts';

const PLACES = 100;

/** How many connect at once: a busy server answers a hundred of them too late. */
const AT_ONCE = 10;

async function openPages(lockscope: Lockscope): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < PLACES)
    sockets.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => openPage(lockscope)))));
  return sockets;
}

function openPage({ api }: Lockscope): Promise<Socket> {
  const { origin, pathname } = new URL(api.url);
  const path = `${pathname.replace(/\/$/, '')}/socket.io`;
  const once = { transports: ['websocket'], reconnection: false, forceNew: true, timeout: 60_000 };
  const socket = io(origin, { path, extraHeaders: api.headers, ...once });
  return new Promise((resolve, reject) => {
    socket.on('connect', () => socket.emit('hello', { v: 1 }));
    socket.on('snapshot', () => resolve(socket));
    socket.on('connect_error', reject);
    socket.on('disconnect', (reason) => reason !== 'io client disconnect' && socket.connect());
  });
}

test('one page too many shows this, tries again, and is served when a place is free', async ({
  redis,
  watch,
  page,
}) => {
  const app = await connectApp(redis.url);
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
    for (const theme of ['Light', 'Dark'] as const) {
      await overview.choose(theme);
      expect.soft(await seriousFindings(page), `serious findings of axe, ${theme}`).toEqual([]);
    }
    others[0]?.disconnect();
    await expect(overview.row('orders:42')).toBeVisible();
    await expect(overview.banner).toHaveCount(0);
    await expect(overview.status('Live')).toBeVisible();
  } finally {
    for (const socket of others) socket.disconnect();
    await app.close();
  }
});
