import type { Director, Role, ScenarioScript } from '../scenario.ts';

const WAITERS: readonly Role[] = ['A2', 'A3', 'B1', 'B2', 'B3', 'C1', 'C2', 'C3'];

/** One message wakes one thread of every client, but only one of these threads acquires the lock. */
export const thunderingHerd: ScenarioScript = {
  id: 'thundering-herd',
  title: 'The thundering herd',
  summary:
    'Eight threads of three clients wait for A’s lock. Each release wakes one thread of every client; one acquires the lock, the others woke for nothing.',
  lock: 'orders:42',
  steps: [
    { title: 'A’s thread 1 acquires the lock', who: 'A1', happens: 'acquired' },
    { title: 'Eight threads ask, are refused, and sleep', who: 'anybody', happens: 'refused', attempt: 2, times: 8 },
    { title: 'A’s thread 1 releases: one message', who: 'A1', happens: 'released' },
    {
      title: 'One thread of each client wakes; one of them wins',
      who: 'anybody',
      happens: 'acquired',
      wokenBy: 'message',
    },
    { title: 'The others woke for nothing', who: 'anybody', happens: 'refused', wokenBy: 'message' },
    { title: 'Release by release, all eight have their turn', who: 'anybody', happens: 'released', times: 8 },
  ],
  async play(director) {
    const { lock, unlock, reached, pause } = director;
    await lock('A1');
    await pause(800);
    const turns: Promise<void>[] = [];
    for (const role of WAITERS) {
      turns.push(takeTurn(role, director));
      await pause(400);
    }
    await reached(2);
    await pause(800);
    await unlock('A1');
    await Promise.all(turns);
  },
};

async function takeTurn(role: Role, { lock, unlock, pause }: Director): Promise<void> {
  await lock(role);
  await pause(900);
  await unlock(role);
}
