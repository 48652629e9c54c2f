import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { Logger } from 'pino';
import { Bus } from '../bus/bus.ts';
import { writerLeaseKey } from '../bus/bus-keys.ts';
import { Lease } from '../bus/lease.ts';
import { createLog } from '../cli/log.ts';
import { createShutdown, type Shutdown } from '../process/shutdown.ts';
import { linkInThread } from '../store/store-link.ts';
import { isDatabaseUrl, shownStore } from '../store/store-name.ts';
import type { StoreTask } from '../store/thread-messages.ts';
import { BusStore } from './bus-store.ts';
import type { StoreWriterConfig } from './config.ts';

/**
 * `lockscope store`: writes everything on a bus into a store, or waits until the process that does so ends. Ends the
 * process after an error.
 */
export async function runStoreWriter(config: StoreWriterConfig): Promise<undefined> {
  const log = createLog(config.json);
  const shutdown = createShutdown(log);
  try {
    const bus = new Bus(config.bus, 'lockscope-store');
    shutdown.add(async () => bus.close());
    const late = setTimeout(() => log.warn(`Waiting for the bus ${config.bus.displayUrl}.`), 3000);
    await bus.whenReady(shutdown.signal);
    clearTimeout(late);
    const { problem } = await bus.server();
    if (problem !== undefined) throw new Error(problem);
    const lease = new Lease(bus, writerLeaseKey(idOfStore(config.store)));
    while (!shutdown.signal.aborted && (await lease.wait(shutdown.signal, async () => undefined))) {
      await writeUntilLost(config, bus, lease, log, shutdown);
    }
  } catch (error) {
    if (shutdown.isEnding()) return;
    log.error(error instanceof Error ? error.message : String(error));
    await shutdown.run(1);
  }
}

async function writeUntilLost(
  { store, bus: url, json }: StoreWriterConfig,
  bus: Bus,
  lease: Lease,
  log: Logger,
  shutdown: Shutdown,
): Promise<void> {
  const lost = new AbortController();
  lease.keep(() => lost.abort());
  const link = await linkInThread(store);
  if (!link.ok) throw new Error(link.error);
  const end = AbortSignal.any([lost.signal, shutdown.signal]);
  const written = new BusStore(bus, link.value, (line) => log.warn(line)).run(end);
  const close = async () => {
    lost.abort();
    await written.catch(() => undefined);
    await link.value.close();
    await lease.end();
  };
  shutdown.add(close);
  const text = json
    ? JSON.stringify({ event: 'ready', bus: url.displayUrl, store: shownStore(store.path) })
    : `lockscope stores what is on the bus ${url.displayUrl} in ${shownStore(store.path)}`;
  process.stdout.write(`${text}\n`);
  await written;
  if (!shutdown.signal.aborted) await close();
}

/**
 * An id of the store, equal for all processes that would write into the same database, or the same file of this
 * machine.
 */
function idOfStore({ path }: StoreTask): string {
  return createHash('sha256')
    .update(isDatabaseUrl(path) ? shownStore(path) : `${hostname()} ${resolve(path)}`)
    .digest('hex')
    .slice(0, 16);
}
