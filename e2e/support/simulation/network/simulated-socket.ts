import { EventEmitter } from 'node:events';
import type { OnReadOpts } from 'node:net';
import { type RedisSocket, soon } from '../../../../server/redis/connection/surroundings.ts';
import { pushOf, resp3Of } from '../redis/reply.ts';
import type { SimulatedProcess } from '../time/simulated-process.ts';
import { CommandParser } from './command-parser.ts';
import { Link } from './link.ts';
import type { NetworkState } from './network-state.ts';
import type { SimulatedHost } from './simulated-host.ts';

/** What a server writes within this many µs is sent together. */
const TOGETHER = 100;

const NOTHING = Buffer.alloc(0);

type Batch = { text: string; readonly at: number };

/** Bytes that have not arrived, and when the server sent them, in µs. */
type Late = { readonly bytes: Buffer; readonly sentAt: number };

type SocketOptions = {
  readonly host: SimulatedHost;
  readonly network: NetworkState;
  readonly address: string;
  readonly onread: OnReadOpts;
  /** Called when something arrives that the server sent at this instant, in µs. */
  onArrival(sentAt: number): void;
};

/** The part of a `node:net` socket that Lockscope uses. It leads to a simulated server and speaks RESP3. */
export class SimulatedSocket extends EventEmitter implements RedisSocket {
  readonly #link: Link;
  readonly #host: SimulatedHost;
  readonly #network: NetworkState;
  readonly #onread: OnReadOpts;
  readonly #onArrival: (sentAt: number) => void;
  readonly #parser = new CommandParser();
  #isPaused = false;
  #isDestroyed = false;
  #isLost = false;
  /** The newest bytes on their way: what the server writes within `TOGETHER` of the first of them joins them. */
  #batch: Batch | undefined;
  /** The second part of bytes that arrive in two parts. */
  #late: Late | undefined;
  /** What has arrived and has not been read yet. */
  #unread: Buffer[] = [];

  constructor(process: SimulatedProcess, { host, network, address, onread, onArrival }: SocketOptions) {
    super();
    this.#host = host;
    this.#network = network;
    this.#onread = onread;
    this.#onArrival = onArrival;
    this.#link = new Link(process, host, network, {
      onOpen: () => this.emit('connect'),
      onRefused: () =>
        this.#fail(Object.assign(new Error(`connect ECONNREFUSED ${host.address}`), { code: 'ECONNREFUSED' })),
      onClose: () => this.#close(),
    });
    this.#link.open(address, {
      reply: (reply) => this.#write(resp3Of(reply)),
      push: (words) => this.#write(pushOf(words)),
      line: (text) => this.#write(`+${text}\r\n`),
    });
  }

  setNoDelay(): void {}

  setKeepAlive(): void {}

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    const unread = this.#unread;
    this.#unread = [];
    if (unread.length > 0) this.#read(Buffer.concat(unread));
  }

  write(bytes: Buffer): void {
    if (!this.#isDestroyed) this.#link.send(this.#parser.parse(bytes));
  }

  destroy(error?: Error): void {
    if (this.#isDestroyed) return;
    this.#link.close();
    this.#isDestroyed = true;
    soon(() => {
      if (error) this.emit('error', error);
      this.emit('close');
    });
  }

  /** From now on, nothing that the server sends arrives. */
  lose(): void {
    this.#isLost = true;
  }

  /** The network cuts the connection: it ends on both sides. */
  cut(): void {
    this.#link.cut();
  }

  /** Takes what the server writes. */
  #write(text: string): void {
    const now = this.#host.time.micros;
    if (this.#batch && now - this.#batch.at < TOGETHER) {
      this.#batch.text += text;
      return;
    }
    const batch: Batch = { text, at: now };
    this.#batch = batch;
    this.#link.toClient(() => {
      if (this.#batch === batch) this.#batch = undefined;
      this.#arrive({ bytes: Buffer.from(batch.text, 'latin1'), sentAt: batch.at });
    });
  }

  #arrive({ bytes, sentAt: at }: Late): void {
    const all = this.#late ? Buffer.concat([this.#late.bytes, bytes]) : bytes;
    const sentAt = this.#late?.sentAt ?? at;
    const place = this.#network.cutIn(all.length);
    this.#late = place === undefined ? undefined : { bytes: all.subarray(place), sentAt };
    this.#onArrival(sentAt);
    this.#take(all.subarray(0, place));
    if (!this.#late) return;
    this.#link.toClient(() => {
      if (this.#late) this.#arrive({ bytes: NOTHING, sentAt });
    });
  }

  #take(bytes: Buffer): void {
    if (this.#isLost) return;
    if (this.#isPaused) this.#unread.push(bytes);
    else this.#read(bytes);
  }

  #read(bytes: Buffer): void {
    const { buffer, callback } = this.#onread as { buffer: Uint8Array; callback: (bytes: number) => boolean };
    for (let from = 0; from < bytes.length && !this.#isDestroyed; from += buffer.length) {
      callback(bytes.copy(buffer, 0, from));
    }
  }

  #fail(error: Error): void {
    this.#isDestroyed = true;
    this.emit('error', error);
    this.emit('close');
  }

  #close(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    this.emit('close');
  }
}
