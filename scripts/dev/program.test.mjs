import { afterEach, expect, test } from 'vitest';
import { Program } from './program.mjs';

let program;
const events = [];

/** A program that is ready at once, and goes on until it is ended. */
const STAYS = ['-e', 'console.log("ready"); setInterval(() => {}, 1000)'];

function open(words) {
  events.length = 0;
  program = new Program(words, {
    readyText: 'ready',
    onReady: () => events.push('ready'),
    onEnd: (code) => events.push(`ended with ${code}`),
  });
}

afterEach(() => program.close());

test('each restart ends the process that runs, and starts the next one', async () => {
  open(STAYS);
  await program.restart();
  await expect.poll(() => events).toEqual(['ready']);
  const first = program.pid;
  await program.restart();
  await expect.poll(() => events).toEqual(['ready', 'ready']);
  expect(() => process.kill(first, 0)).toThrow('ESRCH');
  expect(program.pid).not.toBe(first);
});

test('a process that ends by itself is reported with its code, and can be started again', async () => {
  open(['-e', 'process.exit(3)']);
  await program.restart();
  await expect.poll(() => events).toEqual(['ended with 3']);
  await program.restart();
  await expect.poll(() => events).toEqual(['ended with 3', 'ended with 3']);
});

test('after close(), the process has ended, and a restart starts no other', async () => {
  open(STAYS);
  await program.restart();
  await expect.poll(() => events).toEqual(['ready']);
  const { pid } = program;
  await program.close();
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  await program.restart();
  expect(program.pid).toBeUndefined();
  expect(events).toEqual(['ready']);
});
