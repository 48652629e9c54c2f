import { binaryFromText } from '../../../shared/base/bytes-text.ts';
import { loginOf, type RedisUrl } from '../../../shared/base/redis-url.ts';
import { encodeCommand } from '../connection/encode-command.ts';
import { Handshake } from '../connection/handshake.ts';
import { openSocket } from '../connection/open-socket.ts';
import type { ReplicationPlace } from '../connection/replication-state.ts';
import { RedisError } from '../connection/reply.ts';
import { type RedisSocket, startTicks, stopTimer, type Timer } from '../connection/surroundings.ts';
import { EffectScanner } from './effect-scanner.ts';

type LinkSink = {
  onCommand(name: string, args: readonly (Buffer | null)[], offset: number): void;
  /** All bytes that had arrived were passed on. */
  onRead(): void;
  /** The link is lost. Not called after `close`. */
  onClose(reason: Error): void;
};

/**
 * The server did not continue the stream: it would have sent all of its data, or has another history. The link was
 * closed before that.
 */
export class NotContinued extends Error {}

/** A reply to PSYNC is written at once, unless the server is about to send everything. */
const PATIENCE_MS = 1000;
const OPEN_MS = 5000;
/** A master ends a link that is silent for `repl-timeout`, 60 s by default and 1 s at least. */
const USUAL_TIMEOUT_S = 60;
/** The link shows that it is alive at least this many times within the timeout. */
const ALIVE_PARTS = 3;
const MOST_PAUSE_S = 20;

/**
 * Capabilities that make a server wait, or ask, before it sends everything. With `eof`, a server that sends to sockets
 * waits for `repl-diskless-sync-delay`. With the last two, it only answers that a second connection is needed. With
 * `psync2`, +CONTINUE shows the history.
 */
const CAPABILITIES = ['eof', 'psync2', 'dual-channel', 'rdb-channel-repl'].flatMap((name) => ['capa', name]);

/**
 * Reads the replication stream of a master from one offset on, as a replica does after a short cut.
 *
 *   AUTH · REPLCONF capa … · PSYNC history offset ──►
 *                                                  ◄── +CONTINUE · bytes of the stream …
 *                                                  ◄── anything else, or nothing for 1 s: closed
 *
 * It never acknowledges an offset, so that WAIT does not count it. `REPLCONF ACK 0` shows that it is alive.
 */
export class ReplicationLink {
  /** Redis's id of this connection; undefined if CLIENT ID is refused. */
  readonly clientId: number | undefined;
  readonly #socket: RedisSocket;
  readonly #sink: LinkSink;
  readonly #scanner: EffectScanner;
  #isClosed = false;
  #alive: Timer | undefined;

  private constructor(
    socket: RedisSocket,
    { offset, clientId }: { readonly offset: number; readonly clientId: number | undefined },
    sink: LinkSink,
  ) {
    this.clientId = clientId;
    this.#socket = socket;
    this.#sink = sink;
    this.#scanner = new EffectScanner(offset, {
      onCommand: (name, args, end) => {
        if (!this.#isClosed) sink.onCommand(name, args, end);
      },
      onFault: () => this.#fail(new Error('the replication stream cannot be read')),
    });
    socket.setNoDelay(true);
    socket.setKeepAlive(true, 10_000);
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('the server closed the replication link')));
  }

  /**
   * Opens a link that continues after the offset of the place that `fresh` returns, just before PSYNC is sent. Rejects
   * if the server refuses or does not answer in time, and with `NotContinued` if its answer does not continue the
   * stream.
   */
  static async open(
    url: RedisUrl,
    fresh: () => Promise<ReplicationPlace>,
    { timeoutS = USUAL_TIMEOUT_S, sink }: { timeoutS?: number | undefined; sink: LinkSink },
  ): Promise<ReplicationLink> {
    let read: (bytes: Buffer) => void = () => {};
    const socket = await openSocket(url, { onBytes: (bytes) => read(bytes), onOpen: (opened) => opened });
    socket.on('error', () => {}); // until the link listens
    try {
      const asked = new Handshake(socket);
      read = (bytes) => asked.read(bytes);
      const login = url.password === null ? [] : [['AUTH', ...[loginOf(url), url.password].map(binaryFromText)]];
      const named = [
        ['CLIENT', 'SETNAME', 'lockscope'],
        ['CLIENT', 'ID'],
      ];
      let clientId: number | undefined;
      for (const command of [...login, ...named, ['REPLCONF', ...CAPABILITIES]]) {
        const answer = await asked.ask(command, OPEN_MS);
        if (answer.startsWith(':')) clientId = Number(answer.slice(1));
        if (answer.startsWith('-') && command[0] !== 'CLIENT') throw new RedisError(answer.slice(1));
      }
      const { history, offset } = await fresh();
      const link = new ReplicationLink(socket, { offset, clientId }, sink);
      const answer = await asked.ask(['PSYNC', history, String(offset + 1)], PATIENCE_MS);
      if (answer.startsWith('-')) throw new RedisError(answer.slice(1));
      if (!answer.startsWith('+CONTINUE')) throw new NotContinued(answer);
      const id = answer.split(' ')[1];
      if (id !== undefined && id !== history) throw new NotContinued('the server has another history');
      read = (bytes) => link.#read(bytes);
      link.#begin(timeoutS, asked.rest);
      return link;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  /** The offset up to which commands were passed on. */
  get offset(): number {
    return this.#scanner.offset;
  }

  #begin(timeoutS: number, rest: Buffer): void {
    const intervalS = Math.min(MOST_PAUSE_S, Math.max(1, timeoutS) / ALIVE_PARTS);
    this.#alive = startTicks(() => this.#socket.write(encodeCommand(['REPLCONF', 'ACK', '0'])), intervalS * 1000);
    this.#alive.unref();
    if (rest.length > 0) this.#read(Buffer.from(rest));
  }

  #read(bytes: Buffer): void {
    if (this.#isClosed) return;
    this.#scanner.feed(bytes);
    this.#sink.onRead();
  }

  #fail(reason: Error): void {
    if (this.#isClosed) return;
    this.close();
    this.#sink.onClose(reason);
  }

  close(): void {
    this.#isClosed = true;
    stopTimer(this.#alive);
    this.#socket.destroy();
  }
}
