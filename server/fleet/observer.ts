import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { Limits } from '../bus/backlog.ts';
import type { Bus } from '../bus/bus.ts';
import { BusKeeper } from '../bus/bus-keeper.ts';
import { pulseOf } from '../bus/pulse.ts';
import { PulseWriter } from '../bus/pulse-writer.ts';
import { VERSION } from '../package-info.ts';
import { watchMemory } from '../process/memory-limit.ts';
import { reportSources } from '../process/source-report.ts';
import { createObservatory } from '../watch/create-observatory.ts';
import type { Observatory } from '../watch/observatory.ts';
import type { ObserverConfig } from './config.ts';

/** How long the entries of a source stay on the bus. */
const KEEP_MS = 6 * 3_600_000;

type Options = {
  readonly bus: Bus;
  readonly log: Logger;
  readonly memory: number;
  readonly limits?: Limits;
  /** Another observer has taken over: this one must stop. */
  fenced(): void;
  /** Called whenever a source has changed, for example because its server is watched now. */
  watching(observatory: Observatory): void;
};

/** The active observer of a source: watches it, and writes one run and its pulses to the bus. */
export class Observer {
  readonly #keeper: BusKeeper;
  readonly #observatory: Observatory;
  readonly #pulses: PulseWriter;
  readonly #ends: (() => void)[];

  private constructor(config: ObserverConfig, keeper: BusKeeper, { bus, log, memory, watching }: Options) {
    const { redisUrls, level, match, configureNotifications, name } = config;
    this.#keeper = keeper;
    this.#observatory = createObservatory({
      ...{ redisUrls, level, match, configureNotifications, memory, log, keeper, isPastAsked: false },
      madeBy: `lockscope ${VERSION}`,
    });
    const observatory = this.#observatory;
    const since = observatory.now();
    const about = { host: hostname(), pid: process.pid, version: VERSION, since };
    this.#pulses = new PulseWriter(bus, name, keeper.run, async ({ standbys, ...count }) => {
      const { confirmed: lastLine, waitingBytes } = keeper.writer.progress;
      const observer = { ...about, standbys, waitingBytes };
      const pulse = await pulseOf(observatory, { name, run: keeper.run, ...count, lastLine, observer });
      return { ...pulse, wholeUntil: keeper.wholeUntil };
    });
    this.#ends = [
      reportSources(observatory, log),
      watchMemory(observatory, memory, log),
      observatory.onBatch(({ sourcesChanged }) => sourcesChanged && watching(observatory)),
    ];
  }

  /** Begins a run. Rejects with `ConnectionLost` if the bus is gone. */
  static async start(config: ObserverConfig, options: Options): Promise<Observer> {
    const { bus, log, limits, fenced } = options;
    const { name, busBytes } = config;
    const keep = { ms: KEEP_MS, bytes: busBytes };
    const warn = (line: string) => log.warn(line);
    const keeper = await BusKeeper.begin(bus, { name, keep, fenced, warn, ...(limits ? { limits } : {}) });
    const observer = new Observer(config, keeper, options);
    await observer.#observatory.start();
    observer.#pulses.start();
    return observer;
  }

  get run(): number {
    return this.#keeper.run;
  }

  /** Ends MONITOR, and writes the remaining lines. */
  async stop(): Promise<void> {
    for (const end of this.#ends.splice(0)) end();
    this.#pulses.stop();
    await this.#observatory.stop();
    await this.#keeper.end();
  }
}
