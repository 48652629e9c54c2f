import { Redis, type RedisOptions } from 'ioredis';
import { parseRedisUrl, type RedisUrl } from '../../../shared/base/redis-url.ts';
import { serverNameFor } from './surroundings.ts';

/** One plain connection to Redis. It never queues or resends a command. */
export type CommandConnection = {
  /** Sends one command, its words spelled as given. Rejects with `ConnectionLost` when no reply can come. */
  call(command: string, ...args: (string | number | Buffer)[]): Promise<unknown>;
  isReady(): boolean;
  /**
   * Resolves when the connection is up. Rejects with `ConnectionLost` after `withinMs`, or as soon as a connection with
   * `isOnce` has ended.
   */
  whenReady(withinMs: number): Promise<void>;
  /** Destroys the socket and does not reconnect until `heal`. */
  cut(): void;
  heal(): void;
  close(): void;
};

/** A connection whose replies may also be read as bytes. */
export type RawCommandConnection = CommandConnection & {
  /** As `call`, with the texts of the reply as bytes, since they need not be UTF-8. */
  callRaw(command: string, ...args: (string | number | Buffer)[]): Promise<unknown>;
};

export type CommandConnectionOptions = {
  /** A Redis URL, or its parts. */
  url: string | RedisUrl;
  /** Absent: the database of the URL. */
  db?: number;
  /** The name of the connection in CLIENT LIST. */
  name?: string;
  /** A connection that broke stays closed: what its commands assumed may no longer be true on another one. */
  isOnce?: boolean;
  /** Called each time the connection is up, before `whenReady` settles. */
  onReady?: (connection: CommandConnection) => void;
  onMessage?: (channel: string, message: string) => void;
  onDown?: () => void;
};

/** The connection broke before the reply, or there was no connection: whether the command ran is unknown. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

type PlainOptions = Omit<RedisOptions, 'replyMapping'>;

const RECONNECT_MS = 200;
const PING_EVERY_MS = 30_000;

/**
 * Opens a connection that reconnects after a failure, unless `isOnce`. A command under way then fails instead of
 * running twice.
 */
export function openCommandConnection(options: CommandConnectionOptions): RawCommandConnection {
  let isCut = false;
  let hasEnded = false;
  let waiters: { up(): void; fail(): void }[] = [];
  const settings: PlainOptions = {
    ...(typeof options.url === 'string' ? target(options.url) : targetOf(options.url)),
    ...(options.db !== undefined && { db: options.db }),
    // Over RESP2, ioredis does not recognise a SUBSCRIBE in capitals.
    protocol: options.onMessage ? 3 : 2,
    disableClientInfo: true,
    enableReadyCheck: false,
    enableOfflineQueue: false,
    autoResubscribe: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => (isCut || options.isOnce ? null : RECONNECT_MS),
  };
  const redis = new Redis(settings);
  let lastError = 'not connected';
  const ping = setInterval(() => void connection.call('PING').catch(() => undefined), PING_EVERY_MS);
  ping.unref();

  const isUp = () => !isCut && redis.status === 'ready';
  const answered = async (ask: () => Promise<unknown>) => {
    if (!isUp()) throw new ConnectionLost(`no connection to Redis: ${lastError}`);
    try {
      return await ask();
    } catch (error) {
      throw isReplyError(error) ? error : new ConnectionLost(`no connection to Redis: ${messageOf(error)}`);
    }
  };
  const connection: RawCommandConnection = {
    call: (command, ...args) => answered(() => redis.call(command, ...args)),
    callRaw: (command, ...args) => answered(() => redis.callBuffer(command, ...args)),
    isReady: isUp,
    whenReady(withinMs) {
      if (isUp()) return Promise.resolve();
      if (hasEnded) return Promise.reject(new ConnectionLost(`no connection to Redis: ${lastError}`));
      return new Promise((resolve, reject) => {
        const waiter = {
          up() {
            clearTimeout(timer);
            resolve();
          },
          fail() {
            clearTimeout(timer);
            waiters = waiters.filter((other) => other !== waiter);
            reject(new ConnectionLost(`no connection to Redis within ${withinMs} ms: ${lastError}`));
          },
        };
        const timer = setTimeout(waiter.fail, withinMs);
        waiters.push(waiter);
      });
    },
    cut() {
      isCut = true;
      lastError = 'it is cut';
      redis.stream?.destroy();
      redis.disconnect();
    },
    heal() {
      isCut = false;
      if (redis.status === 'end') redis.connect().catch(() => undefined);
    },
    close() {
      isCut = true;
      clearInterval(ping);
      redis.disconnect();
    },
  };

  redis.on('error', (error: Error) => {
    lastError = messageOf(error);
  });
  redis.on('ready', () => {
    const quiet = () => undefined; // if the connection breaks here, 'close' reports it
    if (options.name) connection.call('CLIENT', 'SETNAME', options.name).catch(quiet);
    connection.call('PING').catch(quiet);
    options.onReady?.(connection);
    const woken = waiters;
    waiters = [];
    for (const waiter of woken) waiter.up();
  });
  redis.on('close', () => options.onDown?.());
  redis.on('end', () => {
    if (options.isOnce) {
      isCut = true;
      hasEnded = true;
      for (const waiter of waiters) waiter.fail();
    }
    // `heal` may have been called while the old socket was still closing.
    setImmediate(() => isCut || connection.heal());
  });
  if (options.onMessage) redis.on('message', options.onMessage);
  return connection;
}

/** What ioredis needs to reach the server behind a Redis URL. Throws if the URL cannot be read. */
function target(text: string): PlainOptions {
  const url = parseRedisUrl(text);
  if (!url.ok) throw new Error(url.error);
  return targetOf(url.value);
}

function targetOf({ host, port, path, db, username, password, tls }: RedisUrl): PlainOptions {
  const login = { ...(username !== null && { username }), ...(password !== null && { password }) };
  if (path !== null) return { path, db, ...login };
  return { host: host || '127.0.0.1', port, db, ...login, ...(tls && { tls: tlsFor(host) }) };
}

function tlsFor(host: string) {
  return { servername: serverNameFor(host) };
}

function isReplyError(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
