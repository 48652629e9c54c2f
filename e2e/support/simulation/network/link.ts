import type { Output, Session } from '../redis/session.ts';
import type { SimulatedProcess } from '../time/simulated-process.ts';
import type { NetworkState } from './network-state.ts';
import type { SimulatedHost } from './simulated-host.ts';

/** What a client notices about its connection. */
type LinkEvents = {
  onOpen(): void;
  /** The server cannot be reached. */
  onRefused(): void;
  /** The connection has ended; not called after `close`. */
  onClose(): void;
};

/**
 * One connection between a client and a server. What is sent in one direction arrives in order, after some time. The
 * client decides the kind of output (bytes, or replies): see `Output`.
 */
export class Link {
  readonly #client: SimulatedProcess;
  readonly #host: SimulatedHost;
  readonly #network: NetworkState;
  readonly #events: LinkEvents;
  #session: Session | undefined;
  #isOver = false;
  /** When everything that was sent so far has arrived at the server, or at the client, in µs. */
  #atServerAt = 0;
  #atClientAt = 0;

  constructor(client: SimulatedProcess, host: SimulatedHost, network: NetworkState, events: LinkEvents) {
    this.#client = client;
    this.#host = host;
    this.#network = network;
    this.#events = events;
  }

  /** Connects. `output` receives what the server writes, at the instant at which it writes it. */
  open(address: string, output: Omit<Output, 'close'>): void {
    const refuse = () => this.toClient(() => this.#refused());
    if (!this.#host.redis) return refuse();
    this.#host.connecting.add(refuse);
    this.#toServer(() => {
      this.#host.connecting.delete(refuse);
      this.#session = this.#host.redis?.connect(address, { ...output, close: () => this.#ended() });
      this.toClient(() => this.#events.onOpen());
    });
  }

  send(commands: readonly (readonly string[])[]): void {
    this.#toServer((session) => {
      for (const words of commands) if (session) this.#host.execute(session, words);
    });
  }

  /** Closes the connection from the side of the client. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#toServer((session) => {
      if (session) this.#host.redis?.end(session);
    });
  }

  /** Cuts the connection, and both ends notice it. */
  cut(): void {
    this.#toServer((session) => {
      if (session) this.#host.redis?.end(session);
    });
    this.#ended();
  }

  /** Runs `arrive` at the client, after everything that was sent to it before. */
  toClient(arrive: () => void): void {
    const { time } = this.#host;
    this.#atClientAt = Math.max(this.#atClientAt, time.micros + this.#network.delay());
    time.arrive(this.#atClientAt, this.#client, () => {
      if (!this.#isOver) arrive();
    });
  }

  #toServer(arrive: (session: Session | undefined) => void): void {
    const { time } = this.#host;
    this.#atServerAt = Math.max(this.#atServerAt, time.micros + this.#network.delay());
    time.arrive(this.#atServerAt, this.#host.process, () => arrive(this.#session));
  }

  #refused(): void {
    this.#isOver = true;
    this.#events.onRefused();
  }

  #ended(): void {
    const end = () => {
      if (this.#isOver) return;
      this.#isOver = true;
      this.#events.onClose();
    };
    if (!this.#network.losesRest()) return this.toClient(end);
    this.#host.time.arrive(this.#host.time.micros + this.#network.delay(), this.#client, end);
  }
}
