import { binaryFromText } from '../../../shared/base/bytes-text.ts';
import { loginOf, type RedisUrl } from '../../../shared/base/redis-url.ts';
import { closedByServer, noAnswer, unreadable } from './connection-end.ts';
import { encodeCommand } from './encode-command.ts';
import { openSocket, READ_BYTES } from './open-socket.ts';
import { PendingReplies } from './pending-replies.ts';
import { RedisError, type Reply } from './reply.ts';
import { RespScanner } from './resp-scanner.ts';
import { type RedisSocket, soon, steadyMs } from './surroundings.ts';

/**
 * Several sources share a thread: after this many full reads in a row (10 ms of lines), the other connections have a
 * turn.
 */
const MOST_FULL_READS = 4;

type RawHandlers = {
  onLine?(buffer: Buffer, start: number, end: number): void;
  /** As `skip` of the sink of a `RespScanner`. */
  skip?(read: Buffer, line: number, from: number): number;
  /** Called with a pub/sub message or an invalidation. Confirmations of subscriptions are not passed on. */
  onPush?(values: Reply[]): void;
  /** Called after every complete frame of a read was passed on, with the size of the read. */
  onRead?(bytes: number): void;
  /** A line or push was too long to keep. */
  onDropped?(what: 'line' | 'push'): void;
  onClose?(reason: Error): void;
};

/**
 * One RESP3 connection, on which replies, pushes and MONITOR lines keep the order in which Redis wrote them.
 *
 * This product depends on that order, so this class uses the socket itself: a client library would pass on replies and
 * pushes by different paths.
 */
export class RawConnection {
  handlers: RawHandlers = {};
  /**
   * Called with each command and its reply, before the code that sent the command gets the reply. For a subscription:
   * null, once it is confirmed.
   */
  onReply: (words: readonly string[], reply: Reply) => void = () => {};
  /** Bytes received so far. */
  received = 0;
  /** Bytes and commands sent so far. */
  sent = { bytes: 0, commands: 0 };
  /** When the last bytes arrived, or else when the connection was opened, by `steadyMs`. */
  readAt = steadyMs();
  readonly #socket: RedisSocket;
  readonly #pending = new PendingReplies(
    (command, seconds) => this.fail(noAnswer(command, seconds)),
    (words, reply) => this.onReply(words, reply),
    () => this.received,
  );
  readonly #scanner = new RespScanner({
    onLine: (buffer, start, end) => this.handlers.onLine?.(buffer, start, end),
    skip: (read, line, from) => this.handlers.skip?.(read, line, from) ?? from,
    onPush: (values) => {
      if (!this.#pending.confirm(values)) this.handlers.onPush?.(values);
    },
    onReply: (reply) => this.#pending.reply(reply),
    onFault: (fault) => this.fail(unreadable(fault)),
    onDropped: (what) => this.handlers.onDropped?.(what),
  });
  #closed: Error | undefined;
  #isPaused = false;
  /** Full reads since the last turn in which other connections were read. */
  #fullReads = 0;

  /** Whether only a part of a frame has arrived. */
  get isMidFrame(): boolean {
    return this.#scanner.isMidFrame;
  }

  /** When the oldest command without a reply was sent, by `steadyMs`. */
  get waitingSince(): number | undefined {
    return this.#pending.waitingSince;
  }

  /** How many error replies have arrived, by code (the first 100 codes). */
  get refusals(): ReadonlyMap<string, number> {
    return this.#pending.refusals;
  }

  private constructor(
    socket: RedisSocket,
    /** The host to which the connection was opened. */
    readonly host: string,
  ) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.setKeepAlive(true, 10_000);
    socket.on('error', (error) => this.fail(error));
    const how = () => (this.received === 0 ? new Error('the connection was closed without a reply') : closedByServer());
    socket.on('close', () => this.fail(how()));
  }

  /**
   * Connects, or rejects within five seconds with the reason. Nothing is sent yet. `room`: the memory that each read
   * uses, except over TLS.
   */
  static open(url: RedisUrl, room?: Buffer): Promise<RawConnection> {
    let connection: RawConnection | undefined;
    const use = {
      onBytes: (bytes: Buffer) => {
        if (connection) connection.#read(bytes);
      },
      onOpen: (socket: RedisSocket) => {
        connection = new RawConnection(socket, url.host);
        return connection;
      },
    };
    return openSocket(url, use, room);
  }

  /** Sends HELLO 3, logs in and selects the database. Returns the fields of the reply to HELLO. */
  async greet(url: RedisUrl): Promise<Map<string, Reply>> {
    const auth = url.password === null ? [] : ['AUTH', loginOf(url), url.password];
    const reply = await this.command('HELLO', '3', ...auth.map(binaryFromText), 'SETNAME', 'lockscope');
    if (url.db !== 0) await this.command('SELECT', String(url.db));
    const fields = new Map<string, Reply>();
    const flat = Array.isArray(reply) ? reply : [];
    for (let i = 0; i + 1 < flat.length; i += 2) fields.set(String(flat[i]), flat[i + 1] ?? null);
    return fields;
  }

  /** Sends a command (arguments have one character per byte) and returns its reply. Rejects on an error reply. */
  command(...words: string[]): Promise<Reply> {
    return this.#send([words]).then((replies) => replies[0] ?? null);
  }

  /** Sends commands in one write. Errors of single commands are values. */
  async pipeline(commands: readonly (readonly string[])[]): Promise<Reply[]> {
    return this.#send(commands, true);
  }

  /**
   * Sends commands in one write and calls `callback` with their replies as soon as the last one is read, before
   * anything that follows on the connection. Errors are values. If the connection is lost, `onLost` is called instead,
   * once for each command.
   */
  ordered(
    commands: readonly (readonly string[])[],
    callback: (replies: Reply[]) => void,
    onLost: (reason: Error) => void = () => {},
  ): void {
    if (this.#closed) return onLost(this.#closed);
    const replies: Reply[] = [];
    const take = (reply: Reply) => {
      if (replies.push(reply) === commands.length) callback(replies);
    };
    const takeError = (error: Error) => {
      if (error instanceof RedisError) take(error);
      else onLost(error);
    };
    for (const words of commands) this.#enqueue(words, take, takeError);
    this.#write(commands);
  }

  /** Subscribes; rejects when the server refuses. */
  async subscribe(command: 'PSUBSCRIBE' | 'SUBSCRIBE', ...channels: string[]): Promise<void> {
    await new Promise<Reply>((resolve, reject) => {
      this.#enqueue([command], resolve, reject, channels.length);
      this.#write([[command, ...channels]]);
    });
  }

  /** Stops reading until `resume`. The system collects what arrives, so that fewer reads are needed. */
  pause(): void {
    this.#isPaused = true;
    this.#socket.pause();
  }

  resume(): void {
    this.#isPaused = false;
    if (this.#fullReads < MOST_FULL_READS) this.#socket.resume();
  }

  /** Closes the connection. Commands under way are rejected with the reason, and `onClose` is not called. */
  close(reason: Error = new Error('closed by us')): void {
    this.#end(reason);
  }

  async #send(commands: readonly (readonly string[])[], keepErrors = false): Promise<Reply[]> {
    if (this.#closed) throw this.#closed;
    const replies = commands.map(
      (words) =>
        new Promise<Reply>((resolve, reject) => {
          const asValue = (error: Error) => (error instanceof RedisError ? resolve(error) : reject(error));
          this.#enqueue(words, resolve, keepErrors ? asValue : reject);
        }),
    );
    this.#write(commands);
    return Promise.all(replies);
  }

  #write(commands: readonly (readonly string[])[]): void {
    const bytes = Buffer.concat(commands.map(encodeCommand));
    this.sent = { bytes: this.sent.bytes + bytes.length, commands: this.sent.commands + commands.length };
    this.#socket.write(bytes);
  }

  #read(chunk: Buffer): void {
    if (this.#closed) return;
    this.received += chunk.length;
    this.readAt = steadyMs();
    this.#scanner.feed(chunk);
    this.handlers.onRead?.(chunk.length);
    if (chunk.length < READ_BYTES) this.#fullReads = 0;
    else if (++this.#fullReads === MOST_FULL_READS) this.#letOthersRead();
  }

  /** Without this, a connection with much traffic would be read up to 32 times in a row. */
  #letOthersRead(): void {
    this.#socket.pause();
    soon(() => {
      this.#fullReads = 0;
      if (!this.#isPaused && !this.#closed) this.#socket.resume();
    });
  }

  #enqueue(
    words: readonly string[],
    resolve: (reply: Reply) => void,
    reject: (error: Error) => void,
    confirmations = 0,
  ): void {
    if (this.#closed) return reject(this.#closed);
    this.#pending.add(words, resolve, reject, { confirmations });
  }

  /** Ends the connection and calls `onClose` with the reason, unless it has ended before. */
  fail(error: Error): void {
    if (this.#closed) return;
    this.#end(error);
    this.handlers.onClose?.(error);
  }

  #end(reason: Error): void {
    this.#closed ??= reason;
    this.#socket.destroy();
    this.#pending.end(this.#closed);
  }
}
