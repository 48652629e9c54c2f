import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Browser } from '@playwright/test';
import type { Socket } from 'socket.io-client';
import { openPage } from './chromium.ts';

/** Round trips in ms of messages of a size and pace, between a page and a process that only echoes them. */
export async function echoTrips(
  browser: Browser,
  body: unknown,
  pace: { everyMs: number; seconds: number },
): Promise<number[]> {
  const child = fork(fileURLToPath(new URL('./echo-server.js', import.meta.url)));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await new Promise<string>((resolve) => child.once('message', (told) => resolve(String(told))));
  const page = await openPage(browser, url);
  try {
    return await page.evaluate(sendAndTime, { body, ...pace });
  } finally {
    await page.context().close();
    child.disconnect();
    await ended;
  }
}

/** Runs in the page: sends at an even pace, times each answer. */
async function sendAndTime({ body, everyMs, seconds }: { body: unknown; everyMs: number; seconds: number }) {
  // the echo server's page loads the library as a global
  const { io } = globalThis as unknown as { io: (options: object) => Socket };
  const socket = io({ transports: ['websocket'] });
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
  const trips: number[] = [];
  const sentAt: number[] = [];
  socket.on('echo', () => trips.push(performance.now() - (sentAt.shift() ?? 0)));
  const messages = Math.round((seconds * 1000) / everyMs);
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      if (sentAt.length + trips.length >= messages) {
        clearInterval(timer);
        setTimeout(resolve, 500); // the last answers
        return;
      }
      sentAt.push(performance.now());
      socket.emit('echo', body);
    }, everyMs);
  });
  socket.disconnect();
  return trips;
}
