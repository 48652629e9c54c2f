import { DemoClient } from '../../../../server/demo/client/demo-client.ts';
import type { Answer, DemoProcess, Order, Reported } from '../../lockscope/demo-process.ts';
import type { Place } from '../place.ts';
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
  readonly #place: Place;
  readonly #open = new Map<number, Open>();
  /** The last order of each thread. */
  readonly #threads = new Map<number, Promise<void>>();
  #client: DemoClient | undefined;
  #ops = 0;

  private constructor(place: Place, { name, uuid, ip }: StartOptions) {
    this.name = name;
    this.uuid = uuid;
    this.process = new SimulatedProcess(ip);
    this.#place = place;
  }

  /** Starts a client, and settles once it is connected. */
  static start(place: Place, options: StartOptions): Promise<SimulatedClient> {
    const client = new SimulatedClient(place, options);
    const driver = place.time.current;
    return new Promise((resolve) => {
      place.post(client.process, () => {
        const ready = client.#begin(options);
        ready.then(() => place.post(driver, () => resolve(client))).catch((error) => place.time.fail(error));
      });
    });
  }

  open = (): Order[] => [...this.#open.values()].map(({ order }) => order);

  ask(order: Order): Promise<Answer> {
    const driver = this.#place.time.current;
    return new Promise((resolve) => {
      if (!this.process.isAlive) return resolve(undefined);
      const op = ++this.#ops;
      const settle: Open['settle'] = (answer) => this.#place.post(driver, () => resolve(answer));
      this.#open.set(op, { order, settle });
      this.#place.post(this.process, () => this.#obey(op, order));
    });
  }

  /** Only the clock that it uses for its locks: it reports by the machine's. */
  setClock(aheadMs: number): void {
    this.process.aheadMs = aheadMs;
  }

  isAlive(): boolean {
    return this.process.isAlive;
  }

  settle(): Promise<void> {
    const driver = this.#place.time.current;
    return new Promise((resolve) => {
      if (!this.process.isAlive) return resolve();
      this.#place.post(this.process, () => {
        const settled = this.#client?.settle(() => Promise.all(this.#threads.values()).then(() => undefined));
        settled?.then(() => this.#place.post(driver, resolve));
      });
    });
  }

  freeze(): void {
    this.#place.time.freeze(this.process);
  }

  thaw(): void {
    this.#place.time.thaw(this.process);
  }

  async kill(): Promise<void> {
    this.#place.time.kill(this.process);
    for (const connection of this.connections) connection.vanish();
    for (const { settle } of this.#open.values()) settle(undefined);
  }

  #begin({ name, uuid, watchdogMs }: StartOptions): Promise<void> {
    this.#client = new DemoClient(
      {
        ...{ redisUrl: '', name, uuid, watchdogMs },
        open: (options) => {
          const connection = new SimulatedConnection(this.#place, options);
          this.connections.push(connection);
          return connection;
        },
      },
      (milestone) => this.reported.push({ type: 'milestone', at: this.#place.time.micros, ...milestone } as Reported), // the same fields as from a process
    );
    return this.#client.whenReady();
  }

  /** Operations of one thread run one after the other. */
  #obey(op: number, order: Order): void {
    const before = this.#threads.get(order.thread) ?? Promise.resolve();
    this.#threads.set(
      order.thread,
      before.then(() => this.#run(op, order)),
    );
  }

  async #run(op: number, order: Order): Promise<void> {
    this.reported.push({ type: 'truth', op, ...order, phase: 'called', at: this.#place.time.micros });
    const answer = await this.#answerTo(op, order);
    this.reported.push({ type: 'truth', op, ...order, phase: 'returned', at: this.#place.time.micros, ...answer });
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
