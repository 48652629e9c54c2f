import { DemoClient } from '../../../../server/demo/client/demo-client.ts';
import type { Answer, DemoProcess, Order, Reported } from '../../lockscope/demo-process.ts';
import type { SimulatedSurroundings } from '../simulated-surroundings.ts';
import { SimulatedProcess } from '../time/simulated-process.ts';
import { SimulatedConnection } from './simulated-connection.ts';

type StartOptions = { readonly name: string; readonly uuid: string; readonly ip: string; readonly watchdogMs: number };
type Open = { readonly order: Order; settle(answer: Answer): void };

/**
 * A demo client in a process of the simulation: the same threads, watchdog and scripts as in a real process
 * (`server/demo/client/main.ts`), and it reports the same messages.
 */
export class SimulatedClient implements DemoProcess {
  readonly name: string;
  readonly uuid: string;
  readonly pid = 0;
  readonly reported: Reported[] = [];
  readonly connections: SimulatedConnection[] = [];
  readonly process: SimulatedProcess;
  readonly #surroundings: SimulatedSurroundings;
  readonly #open = new Map<number, Open>();
  /** The last order of each thread. */
  readonly #threads = new Map<number, Promise<void>>();
  #client: DemoClient | undefined;
  #ops = 0;

  private constructor(surroundings: SimulatedSurroundings, { name, uuid, ip }: StartOptions) {
    this.name = name;
    this.uuid = uuid;
    this.process = new SimulatedProcess(ip);
    this.#surroundings = surroundings;
  }

  /** Starts a client, and settles once it is connected. */
  static start(surroundings: SimulatedSurroundings, options: StartOptions): Promise<SimulatedClient> {
    const client = new SimulatedClient(surroundings, options);
    const driver = surroundings.time.current;
    return new Promise((resolve) => {
      surroundings.post(client.process, () => {
        const ready = client.#begin(options);
        ready
          .then(() => surroundings.post(driver, () => resolve(client)))
          .catch((error) => surroundings.time.fail(error));
      });
    });
  }

  open = (): Order[] => [...this.#open.values()].map(({ order }) => order);

  ask(order: Order): Promise<Answer> {
    const driver = this.#surroundings.time.current;
    return new Promise((resolve) => {
      if (!this.process.isAlive) return resolve(undefined);
      const op = ++this.#ops;
      const settle: Open['settle'] = (answer) => this.#surroundings.post(driver, () => resolve(answer));
      this.#open.set(op, { order, settle });
      this.#surroundings.post(this.process, () => this.#perform(op, order));
    });
  }

  /** Sets only the clock that the client uses for its locks. Its reports have the times of the machine's clock. */
  setClock(aheadMs: number): void {
    this.process.aheadMs = aheadMs;
  }

  isAlive(): boolean {
    return this.process.isAlive;
  }

  settle(): Promise<void> {
    const driver = this.#surroundings.time.current;
    return new Promise((resolve) => {
      if (!this.process.isAlive) return resolve();
      this.#surroundings.post(this.process, () => {
        const settled = this.#client?.settle(() => Promise.all(this.#threads.values()).then(() => undefined));
        settled?.then(() => this.#surroundings.post(driver, resolve));
      });
    });
  }

  freeze(): void {
    this.#surroundings.time.freeze(this.process);
  }

  thaw(): void {
    this.#surroundings.time.thaw(this.process);
  }

  async kill(): Promise<void> {
    this.#surroundings.time.kill(this.process);
    for (const connection of this.connections) connection.vanish();
    for (const { settle } of this.#open.values()) settle(undefined);
  }

  #begin({ name, uuid, watchdogMs }: StartOptions): Promise<void> {
    this.#client = new DemoClient(
      {
        ...{ redisUrl: '', name, uuid, watchdogMs },
        open: (options) => {
          const connection = new SimulatedConnection(this.#surroundings, options);
          this.connections.push(connection);
          return connection;
        },
      },
      (milestone) => {
        const at = this.#surroundings.time.micros;
        this.reported.push({ type: 'milestone', at, ...milestone } as Reported); // the same fields as from a process
      },
    );
    return this.#client.whenReady();
  }

  /** Operations of one thread run one after the other. */
  #perform(op: number, order: Order): void {
    const before = this.#threads.get(order.thread) ?? Promise.resolve();
    this.#threads.set(
      order.thread,
      before.then(() => this.#run(op, order)),
    );
  }

  async #run(op: number, order: Order): Promise<void> {
    this.reported.push({ type: 'truth', op, ...order, phase: 'called', at: this.#surroundings.time.micros });
    const answer = await this.#answerTo(op, order);
    this.reported.push({
      type: 'truth',
      op,
      ...order,
      phase: 'returned',
      at: this.#surroundings.time.micros,
      ...answer,
    });
    this.#open.get(op)?.settle(answer);
    this.#open.delete(op);
  }

  async #answerTo(op: number, order: Order): Promise<{ ok: boolean; result: string }> {
    try {
      return { ok: true, result: (await this.#client?.run({ op, ...order })) ?? '' };
    } catch (thrown) {
      const error = thrown as Error; // the client throws no other errors
      return { ok: false, result: `${error.name}: ${error.message}` };
    }
  }
}
