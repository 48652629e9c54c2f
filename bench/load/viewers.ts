import { io, type Socket } from 'socket.io-client';

/**
 * A process of viewers: they say hello and count what they receive.
 *
 *   viewers             bench
 *                  ←    Call        any number of times: open pages, or ask
 *   Counts         →                once all pages have a snapshot, and for each question
 */
export type Call = { readonly url: string; readonly pages: number };
/** For all pages of the process together: messages so far, events in them, and `missed`: events that no batch had. */
export type Counts = { readonly messages: number; readonly events: number; readonly missed: number };

type Batch = { readonly fromSeq: number; readonly toSeq: number; readonly events: readonly unknown[] };

const pages: Socket[] = [];
let [messages, events, missed] = [0, 0, 0];

process.on('message', async ({ url, pages: wanted }: Call) => {
  while (pages.length < wanted) pages.push(await openPage(url));
  process.send?.({ messages, events, missed } satisfies Counts);
});
process.on('disconnect', () => process.exit(0));

/** Settles when the page has its snapshot. */
function openPage(url: string): Promise<Socket> {
  const page = io(url, { transports: ['websocket'], forceNew: true });
  let seq = Number.NaN;
  page.on('batch', (batch: Batch) => {
    messages++;
    events += batch.events.length;
    missed += batch.toSeq - seq - batch.events.length;
    seq = batch.toSeq;
  });
  return new Promise((resolve, reject) => {
    page.on('snapshot', (snapshot: { seq: number }) => {
      seq = snapshot.seq;
      resolve(page);
    });
    page.on('connect_error', reject);
    page.on('connect', () => page.emit('hello', { v: 1 }));
  });
}
