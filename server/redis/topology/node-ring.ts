import { Redis } from 'ioredis';
import { loginOf, type RedisUrl } from '../../../shared/base/redis-url.ts';
import { nodeOf } from '../../../shared/base/topology-url.ts';
import { serverNameFor } from '../connection/surroundings.ts';

const PATIENCE_MS = 2000;
const MOST_NODES = 1000;

/** The reply of one server, and which server replied. */
type Answer = { readonly reply: unknown; readonly from: RedisUrl };

/**
 * Servers that all know the same, asked in turn. A server that is gone or cut off is skipped. The next question goes to
 * the next server, so a server with a stale view does not answer all of them.
 */
export class NodeRing {
  readonly #nodes = new Map<string, RedisUrl>();
  readonly #connections = new Map<string, Redis>();
  /**
   * Whether a server is first asked without a login: Sentinels often have no password although their servers have one.
   */
  readonly #isLoginOptional: boolean;
  #next = 0;

  constructor(seeds: readonly RedisUrl[], isLoginOptional = false) {
    this.#isLoginOptional = isLoginOptional;
    this.learn(seeds);
  }

  /** Adds servers that can be asked, up to 1000. */
  learn(nodes: readonly RedisUrl[]): void {
    for (const node of nodes) if (this.#nodes.size < MOST_NODES) this.#nodes.set(nodeOf(node), node);
  }

  /** Asks the servers in turn until one replies without an error; rejects with the last reason if no server does. */
  async ask(...words: [string, ...string[]]): Promise<Answer> {
    const nodes = [...this.#nodes.values()];
    let reason: unknown = new Error('no server to ask');
    for (let tried = 0; tried < nodes.length; tried++) {
      const node = nodes[this.#next++ % nodes.length];
      if (!node) break;
      try {
        return { reply: await this.#askOne(node, words), from: node };
      } catch (error) {
        reason = error;
        this.#forget(node);
      }
    }
    throw reason;
  }

  /** Asks one server. Rejects if it does not answer; no other server is asked. */
  askAt(node: RedisUrl, ...words: [string, ...string[]]): Promise<unknown> {
    return this.#askOne(node, words);
  }

  close(): void {
    for (const connection of this.#connections.values()) connection.disconnect();
    this.#connections.clear();
  }

  async #askOne(node: RedisUrl, [command, ...args]: [string, ...string[]]): Promise<unknown> {
    const known = this.#connections.get(nodeOf(node));
    if (known) return known.call(command, ...args);
    let connection = await open(node, !this.#isLoginOptional);
    this.#connections.set(nodeOf(node), connection);
    try {
      return await connection.call(command, ...args);
    } catch (error) {
      if (!this.#isLoginOptional || node.password === null || !/^NOAUTH/.test(String((error as Error).message)))
        throw error;
      connection.disconnect();
      connection = await open(node, true);
      this.#connections.set(nodeOf(node), connection);
      return connection.call(command, ...args);
    }
  }

  #forget(node: RedisUrl): void {
    this.#connections.get(nodeOf(node))?.disconnect();
    this.#connections.delete(nodeOf(node));
  }
}

/** The Redis user with which these servers are asked. */
export function userOf([seed]: readonly RedisUrl[]): string {
  return seed ? loginOf(seed) : 'default';
}

/** Connects once; resolves when commands may be sent, or rejects with the reason. */
async function open(node: RedisUrl, hasLogin: boolean): Promise<Redis> {
  const { host, port, path, tls, username, password } = node;
  const connection = new Redis({
    ...(path === null ? { host, port } : { path }),
    ...(hasLogin && password !== null ? { password, ...(username === null ? {} : { username }) } : {}),
    ...(tls ? { tls: { servername: serverNameFor(host) } } : {}),
    protocol: 2,
    lazyConnect: true,
    disableClientInfo: true,
    enableReadyCheck: false,
    enableOfflineQueue: false,
    connectTimeout: PATIENCE_MS,
    commandTimeout: PATIENCE_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    connectionName: 'lockscope',
  });
  let reason: Error | undefined;
  connection.on('error', (error: Error) => {
    reason ??= error;
  });
  try {
    await connection.connect();
    return connection;
  } catch (error) {
    connection.disconnect();
    throw reason ?? error;
  }
}
