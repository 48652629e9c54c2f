import { expect, test } from 'vitest';
import { WakeUps } from './wake-ups.ts';

const settled = async (promise: Promise<unknown>) => {
  let hasSettled = false;
  promise.then(
    () => {
      hasSettled = true;
    },
    () => {
      hasSettled = true;
    },
  );
  await new Promise((resolve) => setImmediate(resolve));
  return hasSettled;
};

test('one message wakes one thread, the one that has slept longest', async () => {
  const wakeUps = new WakeUps();
  const [first, second] = [wakeUps.sleep(null), wakeUps.sleep(null)];
  wakeUps.release();
  expect(await first).toBe('message');
  expect(await settled(second)).toBe(false);
  wakeUps.release();
  expect(await second).toBe('message');
});

test('a message while no thread sleeps is kept for the next sleeper, once', async () => {
  const wakeUps = new WakeUps();
  wakeUps.release();
  expect(await wakeUps.sleep(null)).toBe('message');
  expect(await wakeUps.sleep(0)).toBe('own-timer');
});

test('a sleep ended by its own timer does not consume the next message', async () => {
  const wakeUps = new WakeUps();
  expect(await wakeUps.sleep(1)).toBe('own-timer');
  const next = wakeUps.sleep(null);
  wakeUps.release();
  expect(await next).toBe('message');
});

test('an interrupted sleep rejects, and the next message wakes another thread', async () => {
  const wakeUps = new WakeUps();
  const interrupt = new AbortController();
  const interrupted = wakeUps.sleep(null, interrupt.signal);
  const other = wakeUps.sleep(null);
  interrupt.abort(new Error('interrupted'));
  await expect(interrupted).rejects.toThrow('interrupted');
  wakeUps.release();
  expect(await other).toBe('message');
});
