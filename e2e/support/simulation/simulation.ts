import { surroundWith } from '../../../server/redis/connection/surroundings.ts';
import { CHANNEL_PATTERNS } from '../../../shared/events/names/names.ts';
import type { ObserveLevel } from '../../../shared/wire/source.ts';
import { differencesFromRedis } from '../compare/world-checks.ts';
import { type Chance, chanceFrom } from '../random/seeded.ts';
import { SimulatedClient } from './clients/simulated-client.ts';
import { ModelCommands } from './redis/model-commands.ts';
import type { Session } from './redis/session.ts';
import { TraceOutput } from './redis/trace-output.ts';
import { binaryWords } from './redis/words.ts';
import { SimulatedLockscope } from './simulated-lockscope.ts';
import { SimulatedSurroundings } from './simulated-surroundings.ts';
import { SimulatedProcess } from './time/simulated-process.ts';

type SimulationOptions = {
  readonly seed: string;
  readonly level: ObserveLevel;
  /** The value of `notify-keyspace-events`. */
  readonly flags: string;
  /** The version of the server. Absent: 7.0.15. */
  readonly version?: string | undefined;
  /** By how much the end of a lease that Lockscope reports may differ from its end in Redis, in ms. */
  readonly sameEndMs: number;
};

/** Clients share this many machines. */
const HOSTS = 2;
const LOOK_EVERY_MS = 20;
/** Connections are opened again after pauses of up to 10 s, and level `monitor` is refused for up to a minute. */
const OBSERVES_WITHIN_MS = 120_000;

/**
 * A server, Lockscope and clients in simulated time. `run` executes a program: a function that starts clients, gives
 * them orders and lets time pass. The same seed gives the same run.
 */
export class Simulation {
  readonly surroundings: SimulatedSurroundings;
  readonly lockscope: SimulatedLockscope;
  /** What the server has sent to a connection that monitors, since the last start of the server. */
  tap = new TraceOutput();
  readonly clients: SimulatedClient[] = [];
  readonly #options: SimulationOptions;
  readonly #driver = new SimulatedProcess();
  readonly #uuids: Chance;
  readonly #keys: ModelCommands;
  #operator: Session | undefined;

  constructor(options: SimulationOptions) {
    const { seed, level } = options;
    this.#options = options;
    this.#uuids = chanceFrom(seed, 'uuids');
    this.surroundings = new SimulatedSurroundings(seed);
    surroundWith(this.surroundings);
    this.startServer();
    this.lockscope = new SimulatedLockscope(this.surroundings, { level });
    this.#keys = new ModelCommands(
      () => this.surroundings.host.keyspace,
      () => Math.floor(this.surroundings.time.micros / 1000),
    );
  }

  /** The clients that run now: also the frozen ones. */
  get alive(): readonly SimulatedClient[] {
    return this.clients.filter((client) => client.isAlive());
  }

  /** Runs a program to its end. Nothing else can be simulated meanwhile in this thread. */
  async run(program: () => Promise<void>): Promise<void> {
    const { time } = this.surroundings;
    let isDone = false;
    time.arrive(time.micros, this.#driver, () => {
      const done = () => {
        isDone = true;
      };
      program().then(done, (error) => time.fail(error));
    });
    try {
      await time.run(() => isDone);
    } finally {
      surroundWith();
    }
  }

  /** Starts the server, with the keys that it had at its end or without data. */
  startServer(keepsKeys = false): void {
    const { host } = this.surroundings;
    const { flags, version } = this.#options;
    const redis = host.start({ flags, version }, keepsKeys);
    this.tap = new TraceOutput();
    const listener = redis.connect('10.0.0.1:1', this.tap);
    redis.pubSub.subscribeToPatterns(listener, ['__key*@*__:*', ...CHANNEL_PATTERNS]);
    redis.startMonitor(listener);
    this.#operator = redis.connect('10.0.0.1:2', { reply() {}, push() {}, line() {}, close() {} });
  }

  /** Lets time pass. */
  wait = (ms: number): Promise<void> => {
    const { time } = this.surroundings;
    return new Promise((resolve) => time.arrive(time.micros + ms * 1000, this.#driver, resolve));
  };

  /** A person runs a command on the server. */
  async operate(command: string, ...args: string[]): Promise<void> {
    const { host } = this.surroundings;
    const session = this.#operator;
    if (session) this.surroundings.post(host.process, () => host.redis?.execute(session, binaryWords(command, args)));
    await this.wait(2);
  }

  startClient = async ({ name, watchdogMs }: { name: string; watchdogMs: number }): Promise<SimulatedClient> => {
    const uuid = [8, 4, 4, 4, 12].map((length) => this.#hex(length)).join('-');
    const ip = `10.1.0.${1 + (this.clients.length % HOSTS)}`;
    const client = await SimulatedClient.start(this.surroundings, { name, uuid, ip, watchdogMs });
    this.clients.push(client);
    return client;
  };

  /** What differs between the locks that Lockscope reports and the keys of the server. */
  differences(): Promise<string[]> {
    const ends = { nowMs: () => this.surroundings.time.micros / 1000, sameEndMs: this.#options.sameEndMs };
    return differencesFromRedis(this.lockscope, this.#keys, [], ends);
  }

  /** Waits until Lockscope observes and reports what the server has. Throws with the differences after that time. */
  async untilSame(withinMs: number): Promise<void> {
    const { time } = this.surroundings;
    const observesBy = time.micros + OBSERVES_WITHIN_MS * 1000;
    while (!this.lockscope.isObserving) {
      if (time.micros > observesBy) throw new Error(`not observing: ${JSON.stringify(this.lockscope.source)}`);
      this.lockscope.observeAgain();
      await this.wait(LOOK_EVERY_MS);
    }
    for (const until = time.micros + withinMs * 1000; ; ) {
      const found = await this.differences();
      if (found.length === 0) return;
      if (time.micros > until) throw new Error(found.join('\n'));
      await this.wait(LOOK_EVERY_MS);
    }
  }

  #hex(length: number): string {
    return Array.from({ length }, () => this.#uuids.whole(0, 15).toString(16)).join('');
  }
}
