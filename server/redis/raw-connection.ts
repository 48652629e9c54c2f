import { connect as connectTcp, type OnReadOpts, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { binaryFromText } from '../../shared/base/bytes-text.ts';
import { loginOf, type RedisUrl } from '../../shared/base/redis-url.ts';
import { encodeCommand, RedisError, type Reply, RespScanner } from './resp-scanner.ts';

export type RawHandlers = {
  onLine?(buffer: Buffer, start: number, end: number): void;
  /** A pub/sub message or an invalidation. Confirmations of subscriptions are not handed on. */
  onPush?(values: Reply[]): void;
  /** Every frame of one read was handed over. */
  onRead?(bytes: number): void;
  onDropped?(): void;
  onClose?(reason: Error): void;
};

type Pending = {
  resolve: (reply: Reply) => void;
  reject: (error: Error) => void;
  /** Pushes still to come that confirm it; 0 for a command with a reply of its own. */
  confirmations: number;
};

const CONFIRMATIONS = new Set(['subscribe', 'psubscribe', 'ssubscribe', 'unsubscribe', 'punsubscribe', 'sunsubscribe']);
/** Bytes taken by one read at most; every read uses the same memory. */
const READ_BYTES = 128 * 1024;
const CONNECT_TIMEOUT = 5000;
const COMMAND_TIMEOUT = 10_000;

/**
 * One RESP3 connection, on which replies, pushes and MONITOR lines keep the order in which Redis wrote them.
 *
 * That order is what this product stands on, so the socket is ours: a client library would hand over replies and
 * pushes by different paths.
 */
export class RawConnection {
  handlers: RawHandlers = {};
  /** Bytes received so far. */
  received = 0;
  readonly #socket: Socket;
  readonly #pending: Pending[] = [];
  readonly #scanner = new RespScanner({
    onLine: (buffer, start, end) => this.handlers.onLine?.(buffer, start, end),
    onPush: (values) => this.#push(values),
    onReply: (reply) => this.#reply(reply),
    onGarbage: (bytes) => this.#fail(new Error(`This is not Redis: it answered ${JSON.stringify(bytes)}`)),
    onDropped: () => this.handlers.onDropped?.(),
  });
  #closed: Error | undefined;

  /** Whether the bytes of a frame have come only in part. */
  get isMidFrame(): boolean {
    return this.#scanner.isMidFrame;
  }

  private constructor(
    socket: Socket,
    /** Where it was opened to. */
    readonly host: string,
  ) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.setKeepAlive(true, 10_000);
    socket.on('error', (error) => this.#fail(error));
    const how = () =>
      this.received === 0 ? 'the connection was closed without a word' : 'Redis closed the connection';
    socket.on('close', () => this.#fail(new Error(how())));
  }

  /** Connects, or rejects within five seconds with the reason. Nothing is sent yet. */
  static open(url: RedisUrl): Promise<RawConnection> {
    return new Promise((resolve, reject) => {
      let connection: RawConnection | undefined;
      const buffer = Buffer.allocUnsafe(READ_BYTES);
      const callback = (bytes: number) => {
        if (connection) connection.#read(buffer.subarray(0, bytes));
        return true;
      };
      const socket = socketFor(url, { buffer, callback });
      const timer = setTimeout(
        () => socket.destroy(new Error(`no answer within ${CONNECT_TIMEOUT / 1000} s`)),
        CONNECT_TIMEOUT,
      );
      socket.once('error', (error) => {
        clearTimeout(timer);
        reject(error);
      });
      socket.once(url.tls ? 'secureConnect' : 'connect', () => {
        clearTimeout(timer);
        socket.removeAllListeners('error');
        const opened = new RawConnection(socket, url.host);
        connection = opened;
        if (url.tls) socket.on('data', (chunk: Buffer) => opened.#read(chunk)); // decrypted in memory of its own
        resolve(opened);
      });
    });
  }

  /** Says hello in RESP3, logs in and selects the database; gives back what HELLO said. */
  async greet(url: RedisUrl, name: string): Promise<Map<string, Reply>> {
    const auth = url.password === null ? [] : ['AUTH', loginOf(url), url.password];
    const reply = await this.command('HELLO', '3', ...auth.map(binaryFromText), 'SETNAME', name);
    if (url.db !== 0) await this.command('SELECT', String(url.db));
    const fields = new Map<string, Reply>();
    const flat = Array.isArray(reply) ? reply : [];
    for (let i = 0; i + 1 < flat.length; i += 2) fields.set(String(flat[i]), flat[i + 1] ?? null);
    return fields;
  }

  /** Sends a command (arguments hold one character per byte) and gives back its reply; rejects on an error reply. */
  command(...words: string[]): Promise<Reply> {
    return this.#send([words], 1).then((replies) => replies[0] ?? null);
  }

  /** Sends commands in one write; errors of single commands come back as values. */
  async pipeline(commands: readonly (readonly string[])[]): Promise<Reply[]> {
    return this.#send(commands, commands.length, true);
  }

  /**
   * Sends commands in one write and calls back with their replies at the very moment the last one is read, so that
   * what follows on the connection is handled after it. Errors come as values; on a lost connection nothing comes.
   */
  ordered(commands: readonly (readonly string[])[], callback: (replies: Reply[]) => void): void {
    if (this.#closed) return;
    const replies: Reply[] = [];
    const take = (reply: Reply) => {
      if (replies.push(reply) === commands.length) callback(replies);
    };
    const takeError = (error: Error) => {
      if (error instanceof RedisError) take(error);
    };
    for (const _ of commands) this.#enqueue({ resolve: take, reject: takeError, confirmations: 0 });
    this.#socket.write(Buffer.concat(commands.map(encodeCommand)));
  }

  /** Subscribes; rejects when the server refuses. */
  async subscribe(command: 'PSUBSCRIBE' | 'SUBSCRIBE', ...channels: string[]): Promise<void> {
    await new Promise<Reply>((resolve, reject) => {
      this.#enqueue({ resolve, reject, confirmations: channels.length });
      this.#socket.write(encodeCommand([command, ...channels]));
    });
  }

  /** Leaves what comes with the system until `resume`, to take it in fewer reads. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  close(): void {
    this.#closed ??= new Error('closed by us');
    this.#socket.destroy();
    this.#rejectAll(this.#closed);
  }

  async #send(commands: readonly (readonly string[])[], count: number, keepErrors = false): Promise<Reply[]> {
    if (this.#closed) throw this.#closed;
    const replies = commands.map(
      () =>
        new Promise<Reply>((resolve, reject) => {
          this.#enqueue({
            resolve,
            reject: keepErrors ? (error) => (error instanceof RedisError ? resolve(error) : reject(error)) : reject,
            confirmations: 0,
          });
        }),
    );
    this.#socket.write(Buffer.concat(commands.map(encodeCommand)));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const error = new Error(`Redis did not answer ${commands[0]?.[0] ?? ''} within ${COMMAND_TIMEOUT / 1000} s`);
        reject(error);
        this.#fail(error);
      }, COMMAND_TIMEOUT);
    });
    try {
      return (await Promise.race([Promise.all(replies), late])).slice(0, count);
    } finally {
      clearTimeout(timer);
    }
  }

  #read(chunk: Buffer): void {
    this.received += chunk.length;
    this.#scanner.feed(chunk);
    this.handlers.onRead?.(chunk.length);
  }

  #enqueue(pending: Pending): void {
    if (this.#closed) pending.reject(this.#closed);
    else this.#pending.push(pending);
  }

  #reply(reply: Reply): void {
    const pending = this.#pending.shift();
    if (!pending) return;
    if (reply instanceof RedisError) pending.reject(reply);
    else pending.resolve(reply);
  }

  #push(values: Reply[]): void {
    const [kind] = values;
    if (typeof kind === 'string' && CONFIRMATIONS.has(kind)) {
      const pending = this.#pending[0];
      if (pending && pending.confirmations > 0 && --pending.confirmations === 0) {
        this.#pending.shift();
        pending.resolve(null);
      }
      return;
    }
    this.handlers.onPush?.(values);
  }

  #fail(error: Error): void {
    if (this.#closed) return;
    this.#closed = error;
    this.#socket.destroy();
    this.#rejectAll(error);
    this.handlers.onClose?.(error);
  }

  #rejectAll(error: Error): void {
    for (const pending of this.#pending.splice(0)) pending.reject(error);
  }
}

function socketFor(url: RedisUrl, onread: OnReadOpts): Socket {
  if (url.path !== null) return connectTcp({ path: url.path, onread });
  const { host, port } = url;
  if (!url.tls) return connectTcp({ host, port, onread });
  return connectTls({ host, port, servername: /^[\d.:]+$/.test(host) ? '' : host });
}
