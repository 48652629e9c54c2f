import type { Logger } from 'pino';
import { pause } from './client/pause.ts';
import { ClientProcess } from './client-process.ts';

/** The watched servers of the fleet demo, by the names of their sources. */
export const FLEET_SOURCES = ['orders', 'payments', 'stock'] as const;
export type FleetSource = (typeof FLEET_SOURCES)[number];

/** How long after the start two clients of `stock` begin to wait for each other. */
const DEADLOCK_AFTER_MS = 8000;
const WATCHDOG_MS = 6000;

/** The server of each client. `checkout` also acquires locks on the other servers. */
const CLIENTS: Readonly<Record<string, FleetSource>> = {
  'order-svc-1': 'orders',
  'order-svc-2': 'orders',
  'payment-svc-1': 'payments',
  'payment-svc-2': 'payments',
  'stock-svc': 'stock',
  checkout: 'orders',
};

/** A thread that acquires a lock, holds it, releases it and rests, again and again. */
type Loop = { client: string; thread: number; source: FleetSource; lock: string; holdMs: number; restMs: number };

const loop = (client: string, thread: number, source: FleetSource, lock: string, holdMs: number, restMs: number) => ({
  ...{ client, thread, source, lock, holdMs, restMs },
});

/** `orders` is healthy, the threads of `payments` compete for one lock, and `stock` is healthy until its deadlock. */
const LOOPS: readonly Loop[] = [
  loop('order-svc-1', 1, 'orders', 'orders:1041', 900, 400),
  loop('order-svc-1', 2, 'orders', 'orders:1042', 1300, 700),
  loop('order-svc-2', 1, 'orders', 'orders:1043', 1700, 300),
  loop('checkout', 1, 'orders', 'orders:1044', 2300, 900),
  ...['payment-svc-1', 'payment-svc-2'].flatMap((client) =>
    [1, 2, 3].map((thread) => loop(client, thread, 'payments', 'payments:ledger', 600, 50)),
  ),
  loop('checkout', 2, 'payments', 'payments:ledger', 600, 300),
  loop('stock-svc', 3, 'stock', 'stock:9', 800, 600),
];

type FleetClientsOptions = {
  urlOf(source: FleetSource): string;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** A client process has ended before `close`. */
  onEnd(client: string): void;
};

/** The clients of the fleet demo. They repeat the same operations until `close`. */
export class FleetClients {
  readonly #urlOf: FleetClientsOptions['urlOf'];
  readonly #processes: ReadonlyMap<string, ClientProcess>;
  readonly #end = new AbortController();
  #lastOp = 0;

  constructor({ urlOf, logger, onEnd }: FleetClientsOptions) {
    this.#urlOf = urlOf;
    this.#processes = new Map(
      Object.entries(CLIENTS).map(([name, source]) => {
        const options = { redisUrl: urlOf(source), name, threads: 3, watchdogMs: WATCHDOG_MS, logger };
        const process = new ClientProcess(options);
        void process.ended.then(() => this.#end.signal.aborted || onEnd(name));
        return [name, process];
      }),
    );
  }

  /** Settles when all clients are connected. */
  async whenReady(): Promise<void> {
    await Promise.all([...this.#processes.values()].map(({ ready }) => ready));
  }

  /** Lets all threads work. */
  start(): void {
    for (const each of LOOPS) void this.#repeat(each);
    void this.#deadlock();
  }

  async close(): Promise<void> {
    this.#end.abort();
    await Promise.all([...this.#processes.values()].map((process) => process.kill()));
  }

  async #repeat({ client, thread, source, lock, holdMs, restMs }: Loop): Promise<void> {
    while (await this.#do(client, thread, source, 'lock', lock)) {
      await this.#pause(holdMs);
      await this.#do(client, thread, source, 'unlock', lock);
      await this.#pause(restMs);
    }
  }

  /** Each thread holds a lock that the other one waits for. Watchdogs renew both leases, so the deadlock lasts. */
  async #deadlock(): Promise<void> {
    await this.#pause(DEADLOCK_AFTER_MS);
    await this.#do('checkout', 3, 'stock', 'lock', 'stock:7');
    await this.#do('stock-svc', 1, 'stock', 'lock', 'stock:8');
    void this.#do('checkout', 3, 'stock', 'lock', 'stock:8');
    void this.#do('stock-svc', 1, 'stock', 'lock', 'stock:7');
    await this.#pause(1000);
    void this.#do('stock-svc', 2, 'stock', 'lock', 'stock:7');
  }

  /**
   * Runs one operation. Returns whether the thread continues: it does after a failed operation, but not once its
   * process or the demo has ended.
   */
  async #do(
    client: string,
    thread: number,
    source: FleetSource,
    action: 'lock' | 'unlock',
    lock: string,
  ): Promise<boolean> {
    const server = source === CLIENTS[client] ? {} : { server: this.#urlOf(source) };
    const process = this.#processes.get(client);
    const outcome = await process?.begin({ op: ++this.#lastOp, thread, action, lock, ...server });
    return outcome?.isLost !== true && !this.#end.signal.aborted;
  }

  async #pause(ms: number): Promise<void> {
    await pause(ms, this.#end.signal).catch(() => undefined);
  }
}
