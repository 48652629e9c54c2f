import type { Logger } from 'pino';
import { Bus } from '../bus/bus.ts';
import { observerLeaseKey, standbysKey } from '../bus/bus-keys.ts';
import { Lease } from '../bus/lease.ts';
import { isBus, sameServerProblem, serverIn } from '../bus/same-server.ts';
import { createLog } from '../cli/log.ts';
import { keepHeapsSmall, memoryLimit } from '../process/memory-limit.ts';
import { createShutdown, type Shutdown } from '../process/shutdown.ts';
import { wallMs } from '../redis/connection/surroundings.ts';
import type { Observatory } from '../watch/observatory.ts';
import type { ObserverConfig } from './config.ts';
import { Observer } from './observer.ts';

/** How long an observer stays listed after it has listed itself as a standby. */
const LISTED_MS = 60_000;

/**
 * `lockscope observe`: the active observer of its source, or a standby that takes over. Ends the process after an
 * error.
 *
 *   standby ── lease taken ──► active ── lease lost, or refused by the stream ──► standby
 */
export async function runObserver(config: ObserverConfig): Promise<undefined> {
  const log = createLog(config.json);
  const shutdown = createShutdown(log);
  try {
    keepHeapsSmall();
    const bus = await openBus(config, log, shutdown);
    await new Turns(config, bus, log, shutdown).run();
  } catch (error) {
    if (shutdown.isEnding()) return;
    log.error(error instanceof Error ? error.message : String(error));
    await shutdown.run(1);
  }
}

/** The bus, once it answers and can be used. */
async function openBus({ bus: url, redisUrls }: ObserverConfig, log: Logger, shutdown: Shutdown): Promise<Bus> {
  const bus = new Bus(url, 'lockscope-observer');
  shutdown.add(async () => bus.close());
  const late = setTimeout(() => log.warn(`Waiting for the bus ${url.displayUrl}.`), 3000);
  await bus.whenReady(shutdown.signal);
  clearTimeout(late);
  const server = await bus.server();
  if (server.problem !== undefined) throw new Error(server.problem);
  for (const watched of redisUrls.flatMap((text) => serverIn(text) ?? [])) {
    if (await isBus(watched, url, server)) throw new Error(sameServerProblem(watched, url));
  }
  return bus;
}

/** The turns of this process: standby, active, standby again, until it is stopped. */
class Turns {
  readonly #config: ObserverConfig;
  readonly #bus: Bus;
  readonly #log: Logger;
  readonly #shutdown: Shutdown;
  readonly #lease: Lease;
  #checked = new Set<string>();
  #isReady = false;
  #current: Observer | undefined;

  constructor(config: ObserverConfig, bus: Bus, log: Logger, shutdown: Shutdown) {
    this.#config = config;
    this.#bus = bus;
    this.#log = log;
    this.#shutdown = shutdown;
    this.#lease = new Lease(bus, observerLeaseKey(config.name));
  }

  async run(): Promise<void> {
    const { signal } = this.#shutdown;
    this.#shutdown.add(async () => {
      await this.#unlistAsStandby();
      await this.#current?.stop();
      await this.#lease.end();
    });
    while (!signal.aborted) {
      const isTaken = await this.#lease.wait(signal, () => this.#listAsStandby());
      if (!isTaken || signal.aborted) return;
      await this.#beActive(signal);
    }
  }

  async #beActive(signal: AbortSignal): Promise<void> {
    const lost = new AbortController();
    this.#lease.keep(() => lost.abort());
    await this.#unlistAsStandby();
    const { log } = { log: this.#log };
    try {
      this.#current = await Observer.start(this.#config, {
        ...{ bus: this.#bus, log, memory: memoryLimit(this.#config.memory), fenced: () => lost.abort() },
        watching: (observatory) => void this.#refuseBus(observatory),
      });
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'ConnectionLost') throw error;
      return this.#lease.end();
    }
    this.#printReady('active');
    log.info({ source: this.#config.name, run: this.#current.run }, 'this observer is active');
    await Promise.race([aborted(lost.signal), aborted(signal)]);
    if (signal.aborted) return;
    log.warn({ source: this.#config.name }, 'Another observer has taken over. This one is a standby now.');
    const ended = this.#current;
    this.#current = undefined;
    await ended.stop();
    await this.#lease.end();
  }

  async #listAsStandby(): Promise<void> {
    if (!this.#isReady && this.#bus.connection.isReady()) this.#printReady('standby');
    const now = wallMs();
    const key = standbysKey(this.#config.name);
    await this.#bus.connection.call('ZREMRANGEBYSCORE', key, '-inf', now - LISTED_MS);
    await this.#bus.connection.call('ZADD', key, now, this.#lease.owner);
  }

  async #unlistAsStandby(): Promise<void> {
    await this.#bus.connection.call('ZREM', standbysKey(this.#config.name), this.#lease.owner).catch(() => undefined);
  }

  /** A topology may have led to the bus. */
  async #refuseBus(observatory: Observatory): Promise<void> {
    for (const { id, status } of observatory.sources()) {
      const server = status === 'observing' ? observatory.serverOf?.(id) : undefined;
      if (!server || this.#checked.has(server.displayUrl)) continue;
      this.#checked.add(server.displayUrl);
      if (!(await isBus(server, this.#bus.url, await this.#bus.server()))) continue;
      this.#log.error(sameServerProblem(server, this.#bus.url));
      await this.#shutdown.run(1);
    }
  }

  /** Prints once that this observer works, and as what. */
  #printReady(role: 'active' | 'standby'): void {
    if (this.#isReady) return;
    this.#isReady = true;
    const { name, json } = this.#config;
    const bus = this.#bus.url.displayUrl;
    const text = json
      ? JSON.stringify({ event: 'ready', source: name, bus, role })
      : `lockscope observes ${name} for the bus ${bus} (${role})`;
    process.stdout.write(`${text}\n`);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
