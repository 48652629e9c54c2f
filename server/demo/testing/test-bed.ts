import { type LocalRedis, startLocalRedis } from '../../redis/private-server/local-redis.ts';
import { type MonitorTap, tapMonitor } from '../../redis/testing/monitor-tap.ts';
import type { Milestone, Operation, Truth } from '../client/protocol.ts';
import { ClientProcess, type Outcome } from '../client-process.ts';

/** One client process of a test, with everything it has reported so far. */
export type TestClient = {
  process: ClientProcess;
  uuid: string;
  milestones: Milestone[];
  truths: Truth[];
  /** Begins an operation; settles with what the thread got. */
  ask(
    thread: number,
    action: Operation['action'],
    lock: string,
    more?: Omit<Operation, 'op' | 'thread' | 'action' | 'lock'>,
  ): Promise<Outcome>;
  /** Settles with the first such milestone, which may have been reported already. Rejects after 20 s. */
  reported(name: Milestone['name'], also?: (milestone: Milestone) => boolean): Promise<Milestone>;
};

/** A real Redis, a MONITOR connection to it, and the client processes of a test. */
export class TestBed {
  readonly redis: LocalRedis;
  readonly tap: MonitorTap;
  readonly #clients: TestClient[] = [];

  private constructor(redis: LocalRedis, tap: MonitorTap) {
    this.redis = redis;
    this.tap = tap;
  }

  static async start(): Promise<TestBed> {
    const redis = await startLocalRedis();
    return new TestBed(redis, await tapMonitor(redis.url));
  }

  async client(name: string, watchdogMs = 30_000): Promise<TestClient> {
    const milestones: Milestone[] = [];
    const truths: Truth[] = [];
    const listeners = new Set<() => void>();
    const note =
      <T>(list: T[]) =>
      (entry: T) => {
        list.push(entry);
        for (const listener of [...listeners]) listener();
      };
    const { url: redisUrl } = this.redis;
    const options = { redisUrl, name, threads: 3, watchdogMs, onMilestone: note(milestones), onTruth: note(truths) };
    const process = new ClientProcess(options);
    let lastOp = 0;
    const client: TestClient = {
      process,
      uuid: '',
      milestones,
      truths,
      ask: (thread, action, lock, more = {}) => process.begin({ op: ++lastOp, thread, action, lock, ...more }),
      reported: (name, also = () => true) =>
        new Promise((resolve, reject) => {
          const late = setTimeout(() => {
            listeners.delete(look);
            reject(
              new Error(`not reported: ${name}; reported: ${milestones.map((milestone) => milestone.name).join(' ')}`),
            );
          }, REPORTED_WITHIN_MS);
          const look = () => {
            const found = milestones.find((milestone) => milestone.name === name && also(milestone));
            if (!found) return;
            clearTimeout(late);
            listeners.delete(look);
            resolve(found);
          };
          listeners.add(look);
          look();
        }),
    };
    this.#clients.push(client);
    await process.ready;
    client.uuid = process.uuid;
    return client;
  }

  async end(): Promise<void> {
    await Promise.all(this.#clients.map(({ process }) => process.kill()));
    this.tap.close();
    await this.redis.stop();
  }
}

const REPORTED_WITHIN_MS = 20_000;
