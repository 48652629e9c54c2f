import { type DemoProcess, startDemoProcess } from '../lockscope/demo-process.ts';
import type { RunningRedis } from '../servers/redis.ts';
import { type App, connectApp } from './app.ts';

/** The three locks that an engineer on call has to find among 200 healthy ones. */
export const STUCK = 'payment:settlement:EU';
export const CONVOY = 'inventory:sku:778';
export const FORGOTTEN = 'report:nightly';

const HEALTHY = 200;
const CONVOY_THREADS = 13;
/** How long each thread of the convoy keeps its lock. */
const CONVOY_HOLD_MS = 250;
export const STUCK_LEASE_MS = 3_600_000;
/** The watchdog renews the forgotten lock after a third of this. */
const WATCHDOG_MS = 30_000;
const CHURN_EVERY_MS = 20;

/** A running incident in one Redis. */
export type Incident = {
  /** `uuid:thread` of the killed process, which Redis still has as the holder of `STUCK`. */
  readonly stuckHolder: string;
  /** `uuid:thread` of the holder that never unlocks `FORGOTTEN`; it is alive and renews. */
  readonly forgottenHolder: string;
  /** Acquisitions and releases of short locks that Redis has answered so far. */
  operations(): number;
  stop(): Promise<void>;
};

/**
 * Four processes that lock as Redisson does, and a connection that does `operationsPerSecond`:
 *
 *   payments-worker   acquires STUCK for an hour and is killed; two threads of orders-api wait for it
 *   inventory-svc     13 threads take turns at CONVOY
 *   report-job        acquires FORGOTTEN and never unlocks; its watchdog renews it; a thread of orders-api waits for it
 *   app               holds 200 locks that no other client wants
 */
export async function startIncident(redis: RunningRedis, operationsPerSecond: number): Promise<Incident> {
  const start = (name: string, threads: number): Promise<DemoProcess> =>
    startDemoProcess({ name, redisUrl: redis.url, threads, watchdogMs: WATCHDOG_MS });
  const [payments, orders, inventory, report] = await Promise.all([
    start('payments-worker', 1),
    start('orders-api', 3),
    start('inventory-svc', CONVOY_THREADS),
    start('report-job', 1),
  ]);
  const app = await connectApp(redis.url);
  await payments.ask({ thread: 1, action: 'lock', lock: STUCK, leaseMs: STUCK_LEASE_MS });
  await payments.kill();
  await report.ask({ thread: 1, action: 'lock', lock: FORGOTTEN });
  for (let n = 0; n < HEALTHY; n++) await app.acquire(`order:${1000 + n}`, { thread: n + 1, leaseMs: STUCK_LEASE_MS });
  for (const thread of [1, 2]) void orders.ask({ thread, action: 'lock', lock: STUCK });
  void orders.ask({ thread: 3, action: 'lock', lock: FORGOTTEN });
  const ending = new AbortController();
  const convoy = Array.from({ length: CONVOY_THREADS }, (_, n) => takeTurns(inventory, n + 1, ending.signal));
  const churn = startChurn(app, operationsPerSecond);
  return {
    stuckHolder: `${payments.uuid}:1`,
    forgottenHolder: `${report.uuid}:1`,
    operations: churn.operations,
    async stop() {
      ending.abort();
      churn.stop();
      await Promise.all([orders, inventory, report].map((process) => process.kill()));
      await Promise.all(convoy);
      await app.close();
    },
  };
}

/** One thread of the convoy: acquires the lock, holds it for 250 ms, releases it, and starts again. */
async function takeTurns(process: DemoProcess, thread: number, ending: AbortSignal): Promise<void> {
  while (!ending.aborted) {
    const answer = await process.ask({ thread, action: 'lock', lock: CONVOY });
    if (answer === undefined) return;
    await new Promise((resolve) => setTimeout(resolve, CONVOY_HOLD_MS));
    await process.ask({ thread, action: 'unlock', lock: CONVOY });
  }
}

/** Acquires and releases short locks, evenly, until it is stopped. */
function startChurn(app: App, operationsPerSecond: number): { operations(): number; stop(): void } {
  const began = performance.now();
  let pairs = 0;
  let answers = 0;
  const count = (): void => {
    answers++;
  };
  const timer = setInterval(() => {
    const due = ((performance.now() - began) / 1000) * (operationsPerSecond / 2);
    for (; pairs < due; pairs++) {
      const options = { thread: 1000 + (pairs % 80), leaseMs: 30_000 };
      const lock = `cart:${pairs % 80}`;
      // Redis may be stopped with the scenario before its last answer.
      app.acquire(lock, options).then(count, () => undefined);
      app.release(lock, options).then(count, () => undefined);
    }
  }, CHURN_EVERY_MS);
  return { operations: () => answers, stop: () => clearInterval(timer) };
}
