import {
  type CommandConnection,
  type CommandConnectionOptions,
  ConnectionLost,
} from '../../../../server/redis/connection/command-connection.ts';
import { startTicks, startTimer, stopTimer, type Timer } from '../../../../server/redis/connection/surroundings.ts';
import { textFromBinary } from '../../../../shared/base/bytes-text.ts';
import { Link } from '../network/link.ts';
import { plainOf, type Reply } from '../redis/reply.ts';
import { binaryWords } from '../redis/words.ts';
import type { SimulatedSurroundings } from '../simulated-surroundings.ts';

/** Both are the same as in `openCommandConnection`. */
const RECONNECT_MS = 200;
const PING_EVERY_MS = 30_000;

type Waiting = { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void };

/** A connection as `openCommandConnection` returns it, but to a simulated server. */
export class SimulatedConnection implements CommandConnection {
  readonly #surroundings: SimulatedSurroundings;
  readonly #options: CommandConnectionOptions;
  readonly #process;
  #link: Link | undefined;
  #isUp = false;
  #isCut = false;
  #pending: Waiting[] = [];
  #waiting: (() => void)[] = [];
  readonly #ping: Timer;

  constructor(surroundings: SimulatedSurroundings, options: CommandConnectionOptions) {
    this.#surroundings = surroundings;
    this.#options = options;
    this.#process = surroundings.time.current;
    this.#ping = startTicks(() => void this.call('PING').catch(() => undefined), PING_EVERY_MS);
    this.#connect();
  }

  call(command: string, ...args: (string | number | Buffer)[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (!this.#isUp) return reject(new ConnectionLost('no connection to Redis'));
      this.#pending.push({ resolve, reject });
      this.#link?.send([binaryWords(command, args)]);
    });
  }

  isReady(): boolean {
    return this.#isUp;
  }

  whenReady(withinMs: number): Promise<void> {
    if (this.#isUp) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const timer = startTimer(() => {
        this.#waiting = this.#waiting.filter((each) => each !== up);
        reject(new ConnectionLost(`no connection to Redis within ${withinMs} ms`));
      }, withinMs);
      const up = () => {
        stopTimer(timer);
        resolve();
      };
      this.#waiting.push(up);
    });
  }

  cut(): void {
    this.#isCut = true;
    this.#link?.close();
    this.#lose();
  }

  heal(): void {
    if (!this.#isCut) return;
    this.#isCut = false;
    this.#connect();
  }

  close(): void {
    stopTimer(this.#ping);
    this.cut();
  }

  /** The client's process has been killed: the server notices that, and nothing of the client runs. */
  vanish(): void {
    this.#link?.close();
  }

  /** The network cuts the connection, and the client opens it again. */
  breakOff(): void {
    this.#link?.cut();
  }

  #connect(): void {
    const link = new Link(this.#process, this.#surroundings.host, this.#surroundings.network, {
      onOpen: () => this.#opened(),
      onRefused: () => this.#again(),
      onClose: () => {
        this.#lose();
        this.#again();
      },
    });
    this.#link = link;
    link.open(this.#surroundings.newAddress(), {
      reply: (reply) => link.toClient(() => this.#answer(reply)),
      push: (words) => link.toClient(() => this.#take(words)),
      line: () => {},
    });
  }

  #opened(): void {
    this.#isUp = true;
    const quiet = () => undefined;
    const { name, onReady } = this.#options;
    if (name) this.call('CLIENT', 'SETNAME', name).catch(quiet);
    this.call('PING').catch(quiet);
    onReady?.(this);
    for (const up of this.#waiting.splice(0)) up();
  }

  #answer(reply: Reply): void {
    const waiting = this.#pending.shift();
    try {
      waiting?.resolve(plainOf(reply));
    } catch (error) {
      waiting?.reject(error as Error); // `plainOf` throws errors of Redis
    }
  }

  #take([kind, channel, message]: readonly Reply[]): void {
    if (kind === 'message') this.#options.onMessage?.(textFromBinary(String(channel)), textFromBinary(String(message)));
    else this.#pending.shift()?.resolve(kind);
  }

  #lose(): void {
    this.#isUp = false;
    for (const { reject } of this.#pending.splice(0)) reject(new ConnectionLost('no connection to Redis'));
    this.#options.onDown?.();
  }

  #again(): void {
    if (!this.#isCut) startTimer(() => this.#isCut || this.#connect(), RECONNECT_MS);
  }
}
