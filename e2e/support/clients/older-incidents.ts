import { type DemoProcess, startDemoProcess } from '../lockscope/demo-process.ts';
import { pause } from '../wait-for.ts';

const WATCHDOG_MS = 30_000;
export const FORGOTTEN_WAITERS = 12;

/** Running incidents, each on its own locks. */
type OlderIncidents = { readonly end: () => Promise<void> };

/**
 * Starts common incidents with clients of the demo: a killed or stopped process that holds two locks (a lease of 15
 * minutes, and a watchdog of 30 s), two threads that wait for each other, a forgotten unlock, and a convoy.
 */
export async function beginIncidents(redisUrl: string, end: 'killed' | 'stopped'): Promise<OlderIncidents> {
  const start = (name: string, threads: number) =>
    startDemoProcess({ name, redisUrl, threads, watchdogMs: WATCHDOG_MS });
  const [report, orders, stock] = await Promise.all([start('report', 2), start('orders', 10), start('stock', 20)]);
  const locked = async (client: DemoProcess, thread: number, lock: string, leaseMs?: number) => {
    const answer = await client.ask({ thread, action: 'lock', lock, ...(leaseMs ? { leaseMs } : {}) });
    if (!answer?.ok) throw new Error(`${client.name} does not get ${lock}: ${answer?.result}`);
  };
  const waits = (client: DemoProcess, thread: number, lock: string) =>
    void client.ask({ thread, action: 'lock', lock });

  await locked(orders, 2, 'account:17');
  await locked(stock, 1, 'account:42');
  waits(orders, 2, 'account:42');
  waits(stock, 1, 'account:17');

  await locked(orders, 3, 'invoice:batch'); // and never unlocks
  for (let thread = 2; thread < 2 + FORGOTTEN_WAITERS; thread++) waits(stock, thread, 'invoice:batch');

  let isOver = false;
  const turn = async (client: DemoProcess, thread: number): Promise<void> => {
    while (!isOver && client.isAlive()) {
      await client.ask({ thread, action: 'lock', lock: 'inventory:778' });
      await pause(200);
      await client.ask({ thread, action: 'unlock', lock: 'inventory:778' });
    }
  };
  const turns = [4, 5, 6, 7, 8].map((thread) => turn(orders, thread));
  turns.push(...[15, 16].map((thread) => turn(stock, thread)));

  await locked(report, 1, 'payout:batch', 900_000);
  await locked(report, 2, 'payout:daily');
  waits(orders, 1, 'payout:batch');
  waits(orders, 10, 'payout:daily');
  await pause(1000); // until the waiters sleep
  if (end === 'killed') await report.kill();
  else report.freeze();
  return {
    async end() {
      isOver = true;
      await Promise.all([report, orders, stock].map((client) => client.kill()));
      await Promise.all(turns);
    },
  };
}
