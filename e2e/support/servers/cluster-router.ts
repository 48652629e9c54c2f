import { createServer, type Socket } from 'node:net';
import { textFromBinary } from '../../../shared/base/bytes-text.ts';
import { keySlot } from '../../../shared/base/key-slot.ts';
import { pause } from '../wait-for.ts';
import { listenAnywhere } from './cutting-proxy.ts';
import { commandAt } from './fake-redis.ts';
import { encode, NotSent, ReplyLink } from './reply-link.ts';

/** One address for a whole cluster, for clients that know nothing of clusters. */
export type ClusterRouter = {
  readonly port: number;
  close(): Promise<void>;
};

const RETRY_AFTER_MS = 20;
/** If no server accepts a command after this many tries (about 3 s), the client's connection is closed. */
const TRIES = 150;

/**
 * Starts a router. It sends each command to the server of its first key, as a client of a cluster does: it follows
 * MOVED and ASK, and repeats what a server did not run. A connection on which the client sends HELLO is for messages: it
 * leads to one server, because every server of a cluster passes messages on.
 */
export async function startClusterRouter(ports: readonly number[]): Promise<ClusterRouter> {
  /** The port that serves a slot, as last reported. */
  const served = new Map<number, number>();
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    clients.add(client);
    const route = new Route(client, ports, served);
    client.on('data', (chunk: Buffer) => route.take(chunk));
    client
      .on('error', () => undefined)
      .on('close', () => {
        clients.delete(client);
        route.close();
      });
  });
  const port = await listenAnywhere(server);
  return {
    port,
    async close() {
      for (const client of clients) client.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** One connection of a client, and those to servers that it needs. */
class Route {
  readonly #client: Socket;
  readonly #ports: readonly number[];
  readonly #served: Map<number, number>;
  readonly #links = new Map<number, ReplyLink>();
  #rest: Buffer = Buffer.alloc(0);
  #turn: Promise<void> = Promise.resolve();
  #name: string | undefined;
  /**
   * The one link that carries everything once the client has sent HELLO, which clients send only on their connections
   * for messages.
   */
  #only: ReplyLink | undefined;
  #isClosed = false;

  constructor(client: Socket, ports: readonly number[], served: Map<number, number>) {
    this.#client = client;
    this.#ports = ports;
    this.#served = served;
  }

  take(chunk: Buffer): void {
    if (this.#only) return this.#only.write(chunk);
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (let command = commandAt(this.#rest); command; command = commandAt(this.#rest)) {
      const { words, end } = command;
      if (words[0]?.toUpperCase() === 'HELLO') return this.#forMessages();
      this.#rest = this.#rest.subarray(end);
      this.#turn = this.#turn.then(() => this.#answer(words)).catch(() => this.close());
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#client.destroy();
    this.#only?.close();
    for (const link of this.#links.values()) link.close();
  }

  #forMessages(): void {
    const port = this.#ports[Math.floor(Math.random() * this.#ports.length)] ?? 0;
    this.#only = new ReplyLink(port, { onClose: () => this.close(), onBytes: (bytes) => this.#client.write(bytes) });
    this.#only.write(this.#rest);
  }

  async #answer(words: string[]): Promise<void> {
    const reply = await this.#replyTo(words);
    if (!this.#isClosed) this.#client.write(reply, 'latin1');
  }

  async #replyTo(words: string[]): Promise<string> {
    const name = words[0]?.toUpperCase();
    if (name === 'PING') return '+PONG\r\n';
    if (name === 'CLIENT') {
      this.#name = words[2];
      return '+OK\r\n';
    }
    if (name === 'SCRIPT') {
      const replies = await Promise.all(this.#ports.map((port) => this.#send(port, words).catch(() => undefined)));
      return replies.find((reply) => reply !== undefined) ?? '-ERR no server\r\n';
    }
    const key = name?.startsWith('EVAL') ? words[3] : words[1];
    return this.#follow(keySlot(textFromBinary(key ?? '')), words);
  }

  async #follow(slot: number, words: string[]): Promise<string> {
    for (let tries = 0; tries < TRIES && !this.#isClosed; tries++) {
      const port = this.#served.get(slot) ?? this.#ports[tries % this.#ports.length] ?? 0;
      try {
        const reply = await this.#send(port, words);
        const [, how, to] = /^-(MOVED|ASK) \d+ \S*:(\d+)/.exec(reply) ?? [];
        if (how === 'MOVED') this.#served.set(slot, Number(to));
        else if (how === 'ASK') {
          const there = await this.#send(Number(to), words, true);
          if (!/^-TRYAGAIN/.test(there)) return there;
        } else if (!/^-(TRYAGAIN|CLUSTERDOWN|LOADING|READONLY)/.test(reply)) return reply;
        if (how === 'MOVED') continue;
      } catch (error) {
        if (!(error instanceof NotSent)) throw error;
        this.#served.delete(slot);
      }
      await pause(RETRY_AFTER_MS);
    }
    throw new Error('no server takes the command');
  }

  async #send(port: number, words: string[], isAsking = false): Promise<string> {
    let link = this.#links.get(port);
    if (!link || link.isClosed) {
      link = new ReplyLink(port);
      this.#links.set(port, link);
      if (this.#name !== undefined) link.ask(encode(['CLIENT', 'SETNAME', this.#name])).catch(() => undefined);
    }
    if (isAsking) link.ask(encode(['ASKING'])).catch(() => undefined);
    return link.ask(encode(words));
  }
}
