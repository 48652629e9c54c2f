import type { Keyspace } from '../redis/keyspace.ts';
import type { Session } from '../redis/session.ts';
import { type RedisSettings, SimulatedRedis } from '../redis/simulated-redis.ts';
import { SimulatedProcess } from '../time/simulated-process.ts';
import type { SimulatedTime } from '../time/simulated-time.ts';

const CRON_MICROS = 100_000;

/** The address of a server, and the process that may listen on it. */
export class SimulatedHost {
  readonly address: string;
  readonly time: SimulatedTime;
  process = new SimulatedProcess();
  /** Undefined while no server runs. */
  redis: SimulatedRedis | undefined;
  /** A function for each connection that is not accepted yet; it refuses the connection. */
  readonly connecting = new Set<() => void>();
  #keyspace: Keyspace | undefined;
  #starts = 0;

  constructor(address: string, time: SimulatedTime) {
    this.address = address;
    this.time = time;
  }

  /** The keys of the server that runs, or that ran last. */
  get keyspace(): Keyspace {
    if (!this.#keyspace) throw new Error('no server was started');
    return this.#keyspace;
  }

  /** Starts a server without data, or with the keys of the previous one. */
  start(settings: Omit<RedisSettings, 'micros' | 'number'>, keepsKeys = false): SimulatedRedis {
    const redis = new SimulatedRedis({ ...settings, micros: () => this.time.micros, number: ++this.#starts });
    if (keepsKeys && this.#keyspace) redis.keyspace.takeKeys(this.#keyspace);
    this.#keyspace = redis.keyspace;
    this.process = new SimulatedProcess();
    this.redis = redis;
    this.#cron(redis, this.process);
    return redis;
  }

  /** The server ends at once, and its connections are closed. `start` decides whether its keys are lost. */
  crash(): void {
    const { redis } = this;
    this.redis = undefined;
    this.time.kill(this.process);
    for (const session of redis?.sessions ?? []) session.output.close();
    for (const refuse of this.connecting) refuse();
    this.connecting.clear();
  }

  /** A command has arrived on a connection. */
  execute(session: Session, words: readonly string[]): void {
    this.redis?.execute(session, words);
  }

  #cron(redis: SimulatedRedis, process: SimulatedProcess): void {
    this.time.arrive(this.time.micros + CRON_MICROS, process, () => {
      redis.cron();
      this.#cron(redis, process);
    });
  }
}
