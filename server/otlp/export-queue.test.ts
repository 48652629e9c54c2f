import { expect, test } from 'vitest';
import { Drops } from './drops.ts';
import { ExportQueue, type QueueOptions } from './export-queue.ts';
import { Rate } from './rate.ts';

function makeQueue(options: Partial<QueueOptions<number>> = {}) {
  const sent: number[][] = [];
  const warned: string[] = [];
  const drops = new Drops((line) => warned.push(line));
  const queue = new ExportQueue<number>({
    ...{ waiting: 5, batch: 2, delayMs: 3_600_000, send: async (items) => void sent.push(items) },
    dropped: (count, reason, error) => drops.add('spans', reason, count, error),
    ...options,
  });
  const add = (...items: number[]): void => {
    for (const item of items) queue.add(() => item);
  };
  return { queue, sent, warned, drops, add };
}

test('full batches are sent at once, the rest when the queue is flushed', async () => {
  const { queue, sent, add } = makeQueue();
  add(1, 2, 3);
  await expect.poll(() => sent).toEqual([[1, 2]]);
  expect(queue.state()).toEqual({ sent: 2, waiting: 1 });
  await queue.flush();
  expect(sent).toEqual([[1, 2], [3]]);
  expect(queue.state()).toEqual({ sent: 3, waiting: 0 });
});

test('a batch that is not full is sent after its delay', async () => {
  const { sent, add } = makeQueue({ delayMs: 1 });
  add(1);
  await expect.poll(() => sent).toEqual([[1]]);
});

test('a receiver that answers late gets one request at a time, and items beyond the size of the queue are not made', async () => {
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const sent: number[][] = [];
  const { queue, add, drops, warned } = makeQueue({
    send: async (items) => {
      sent.push(items);
      await answered;
    },
  });
  add(1, 2, 3, 4, 5);
  queue.add(() => {
    throw new Error('it is not made');
  });
  expect([queue.state().waiting, drops.of('spans'), sent]).toEqual([5, 1, [[1, 2]]]);
  expect(warned).toEqual([expect.stringContaining('spans are not exported: too many wait to be sent')]);
  answer();
  await queue.flush();
  expect(sent).toEqual([[1, 2], [3, 4], [5]]);
});

test('items that the receiver refuses are dropped and counted, with a warning for the first only', async () => {
  const refusal = Object.assign(new Error('https://x/T0KEN'), { code: 404 });
  const { queue, add, drops, warned } = makeQueue({ send: () => Promise.reject(refusal) });
  add(1, 2, 3);
  await queue.flush();
  expect(queue.state()).toEqual({ sent: 0, waiting: 0 });
  expect(drops.totals()).toEqual([['spans', 'export', 3]]);
  expect(drops.problem).toBe('the receiver answered 404');
  expect(warned).toHaveLength(1);
  expect(warned.join()).not.toContain('T0KEN');
});

test('a stopped queue accepts no items, and reports how many were left', () => {
  const { queue, sent, add } = makeQueue();
  add(1);
  expect(queue.stop()).toBe(1);
  add(2, 3, 4);
  expect([queue.state().waiting, sent]).toEqual([0, []]);
});

test('a rate of two a second allows two items at once, then one every 500 ms, and never more than two at once', () => {
  let now = 0;
  const rate = new Rate(2, () => now);
  expect([rate.take(), rate.take(), rate.take(), rate.isLeft()]).toEqual([true, true, false, false]);
  now = 500;
  expect([rate.isLeft(), rate.take(), rate.take()]).toEqual([true, true, false]);
  now = 60_000;
  expect([rate.take(), rate.take(), rate.take()]).toEqual([true, true, false]);
});
