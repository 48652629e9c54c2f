import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Browser } from '@playwright/test';
import type { Socket } from 'socket.io-client';
import { openPage } from './chromium.ts';

/** Delays of the echo, in ms. */
type Echo = {
  /** From when an event was due until it came back, including the wait until its message was full. */
  readonly events: readonly number[];
  /** From sending a message until it came back. */
  readonly trips: readonly number[];
};

/**
 * Measures a page that sends events at an even rate to a process that echoes them, several events per message. `body`
 * is one message.
 */
export async function echoEvents(
  browser: Browser,
  body: readonly unknown[],
  pace: { everyMs: number; seconds: number },
): Promise<Echo> {
  const child = fork(fileURLToPath(new URL('./echo-server.js', import.meta.url)));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await new Promise<string>((resolve) => child.once('message', (address) => resolve(String(address))));
  const page = await openPage(browser, url);
  try {
    return await page.evaluate(sendAndTime, { body, ...pace });
  } finally {
    await page.context().close();
    child.disconnect();
    await ended;
  }
}

type SendOptions = { body: readonly unknown[]; everyMs: number; seconds: number };

/** Runs in the page: sends at an even rate and measures each echo. */
async function sendAndTime({ body, everyMs, seconds }: SendOptions): Promise<{ events: number[]; trips: number[] }> {
  // the echo server's page loads the library as a global
  const { io } = globalThis as unknown as { io: (options: object) => Socket };
  const socket = io({ transports: ['websocket'] });
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
  const events: number[] = [];
  const trips: number[] = [];
  const sent: { at: number; due: number }[] = [];
  socket.on('echo', () => {
    const now = performance.now();
    const { at = now, due = now } = sent.shift() ?? {};
    trips.push(now - at);
    // the events of a message were due evenly over the time before it was sent
    for (let n = 0; n < body.length; n++) events.push(now - (due - (everyMs * n) / body.length));
  });
  const began = performance.now();
  const messages = Math.round((seconds * 1000) / everyMs);
  for (let n = 1; n <= messages; n++) {
    const due = began + n * everyMs;
    await new Promise((resolve) => setTimeout(resolve, due - performance.now()));
    sent.push({ at: performance.now(), due });
    socket.emit('echo', body);
  }
  while (sent.length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  socket.disconnect();
  return { events, trips };
}
