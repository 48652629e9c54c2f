import { expect } from 'vitest';
import type { JavaThread } from '../../support/clients/redisson-thread.ts';
import { pause } from '../../support/wait-for.ts';
import type { Scenario } from '../scenario.ts';

const LOCK = 'herd:hot';
const ROUNDS = 4;

/** Nine threads in three clients, each four times on one lock: every release wakes one thread of every client. */
export const herd: Scenario = {
  id: 'herd',
  async play(setup) {
    const clients = [await setup.client('app1'), await setup.client('app2'), await setup.client('short')];
    const threads = clients.flatMap((client) => ['A', 'B', 'C'].map((letter) => client.thread(letter)));
    const results = await Promise.all(threads.map(rounds));
    expect(results.flat()).toEqual(Array(threads.length * ROUNDS * 2).fill('ok'));
  },
};

async function rounds(thread: JavaThread): Promise<string[]> {
  const results: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    results.push(await thread.lock(LOCK));
    await pause(15);
    results.push(await thread.unlock(LOCK));
  }
  return results;
}
