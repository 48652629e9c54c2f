import type { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Server as HttpsServer } from 'node:https';

type TcpSocket = IncomingMessage['socket'];

/** Limits of the memory that connections may use. */
export type ConnectionLimits = {
  /** Open connections in all. */
  readonly connections: number;
  /** Pending answers per connection: a program may send further requests before it reads, up to this number. */
  readonly answersEach: number;
  /** Above this many bytes in total, stuck connections are closed, and new requests get 503. */
  readonly bytes: number;
  /** Above this many bytes in total, the connections with the most bytes are closed, stuck or not. */
  readonly bytesAtMost: number;
  /** After this many bytes have arrived, the total is counted again. So it exceeds `bytesAtMost` by at most this. */
  readonly bytesBetweenCounts: number;
  /** Number of unfinished requests with more than `LARGE` bytes. */
  readonly largeRequests: number;
  /** A connection is stuck if bytes are buffered for it and it has read none for this long. */
  readonly stuckMs: number;
};

const MB = 1024 * 1024;
export const LIMITS: ConnectionLimits = {
  connections: 1000,
  answersEach: 4,
  bytes: 64 * MB,
  bytesAtMost: 96 * MB,
  bytesBetweenCounts: 4 * MB,
  largeRequests: 8,
  stuckMs: 5000,
};

/** The default limits, with `bytes` as the limit for bytes. */
export function limitsWithin(bytes: number): ConnectionLimits {
  return { ...LIMITS, bytes, bytesAtMost: 1.5 * bytes };
}

/** Node's parser copies unfinished headers with each chunk that arrives. That is cheap if they are small, or few. */
const LARGE = 64 * 1024;
/** A large request that is not finished within this time may be closed in favour of a new one. */
const LARGE_MS = 1000;
const LOOK_EVERY_MS = 250;

/** What is buffered for one connection. */
type Held = {
  /** Answers that are not fully sent, each with the bytes of its request. */
  readonly answers: Map<ServerResponse, number>;
  /** `bytesRead` of the socket when the last request or message was complete. */
  readUpTo: number;
  /** Bytes the client had read at the last count. */
  taken: number;
  /** Since when `taken` has not changed. */
  since: number;
  /** It carries a page's live channel, which has its own limit. */
  isPage: boolean;
};

/**
 * Every TCP connection of the server, and the bytes buffered for it: unread answers, their requests, and unfinished
 * requests or messages.
 *
 * Above the limit, stuck connections are closed first. So a program that sends requests and does not read the answers
 * loses its own connections, and a page that reads is served.
 */
export class Connections {
  readonly #held = new Map<TcpSocket, Held>();
  readonly #limits: ConnectionLimits;
  readonly #now: () => number;
  readonly #timer: NodeJS.Timeout;
  /** Connections with a large unfinished request and since when. */
  readonly #large = new Map<TcpSocket, number>();
  /** Bytes that have arrived since the last count. */
  #arrived = 0;

  /** `server` emits `connection` with each new one, with TLS `secureConnection`, and `close` at its end. */
  constructor(server: EventEmitter, limits = LIMITS, now = () => performance.now()) {
    const opened = server instanceof HttpsServer ? 'secureConnection' : 'connection';
    this.#limits = limits;
    this.#now = now;
    server.on(opened, (socket: TcpSocket) => this.#admit(socket));
    server.on('close', () => clearInterval(this.#timer));
    this.#timer = setInterval(() => this.makeRoom(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  /** Admits a request, which counts until its answer is sent. Returns a reason if it cannot be answered now. */
  begin(req: IncomingMessage, res: ServerResponse): 'too-many-here' | 'no-room' | undefined {
    const held = this.#held.get(req.socket);
    if (!held) return undefined;
    const requestBytes = req.socket.bytesRead - held.readUpTo;
    this.noteRead(req.socket);
    if (held.answers.size >= this.#limits.answersEach) return 'too-many-here';
    held.answers.set(res, requestBytes);
    res.on('close', () => held.answers.delete(res));
    req.on('end', () => this.noteRead(req.socket));
    return this.makeRoom() > this.#limits.bytes ? 'no-room' : undefined;
  }

  /** What the connection has sent so far is processed, so it no longer counts. */
  noteRead(socket: TcpSocket): void {
    this.#large.delete(socket);
    const held = this.#held.get(socket);
    if (held) held.readUpTo = socket.bytesRead;
  }

  /**
   * From now on, the answer is a stream that has no end. It is not stuck while there is nothing to send, so its request no
   * longer counts, unless that is large.
   */
  noteStream(res: ServerResponse): void {
    const answers = res.req.socket && this.#held.get(res.req.socket)?.answers;
    if (answers && (answers.get(res) ?? 0) <= LARGE) answers.set(res, 0);
  }

  /** True if there is memory for another answer. */
  hasRoom(): boolean {
    return this.makeRoom() <= this.#limits.bytes;
  }

  /** From now on, the connection carries a page's live channel. */
  notePage(socket: TcpSocket): void {
    this.noteRead(socket);
    const held = this.#held.get(socket);
    if (held) held.isPage = true;
  }

  /** Closes connections if too much is buffered. Returns the bytes buffered for all connections afterwards. */
  makeRoom(): number {
    const now = this.#now();
    this.#arrived = 0;
    const holders: { socket: TcpSocket; bytes: number; since: number }[] = [];
    let total = 0;
    for (const [socket, held] of this.#held) {
      const bytes = bytesOf(socket, held);
      const taken = socket.bytesWritten - socket.writableLength;
      if (bytes === 0 || taken !== held.taken) held.since = now;
      held.taken = taken;
      if (bytes === 0) continue;
      total += bytes;
      holders.push({ socket, bytes, since: held.since });
    }
    if (total <= this.#limits.bytes) return total;
    for (const { socket, bytes, since } of holders.sort((a, b) => b.bytes - a.bytes)) {
      const isStuck = now - since >= this.#limits.stuckMs;
      if (total <= this.#limits.bytes) break;
      if (!isStuck && total <= this.#limits.bytesAtMost) continue;
      total -= bytes;
      this.#close(socket);
    }
    return total;
  }

  #admit(socket: TcpSocket): void {
    const held: Held = { answers: new Map(), readUpTo: 0, taken: 0, since: this.#now(), isPage: false };
    this.#held.set(socket, held);
    socket.once('close', () => this.#forget(socket));
    // A timer alone is too slow: hundreds of megabytes can arrive before it fires.
    const onData = (data: Buffer) => {
      // The live channel reads a page's messages. This listener would keep the socket flowing while they must wait.
      if (held.isPage) return void socket.off('data', onData);
      this.#arrived += data.length;
      if (socket.bytesRead - held.readUpTo > LARGE) this.#noteLarge(socket);
      if (this.#arrived >= this.#limits.bytesBetweenCounts) this.makeRoom();
    };
    socket.on('data', onData);
    if (this.#held.size <= this.#limits.connections) return;
    // Close the oldest idle connection, so that a program that only connects cannot keep others out.
    for (const [oldest, { answers, isPage }] of this.#held) {
      if (answers.size > 0 || isPage) continue;
      this.#close(oldest);
      return;
    }
    this.#close(socket);
  }

  #noteLarge(socket: TcpSocket): void {
    if (this.#large.has(socket)) return;
    const now = this.#now();
    this.#large.set(socket, now);
    if (this.#large.size <= this.#limits.largeRequests) return;
    const slow = [...this.#large].find(([, since]) => now - since >= LARGE_MS)?.[0];
    this.#close(slow ?? socket);
  }

  #close(socket: TcpSocket): void {
    this.#forget(socket);
    socket.destroy();
  }

  #forget(socket: TcpSocket): void {
    this.#held.delete(socket);
    this.#large.delete(socket);
  }
}

function bytesOf(socket: TcpSocket, { answers, readUpTo }: Held): number {
  let bytes = socket.writableLength + (socket.bytesRead - readUpTo);
  // Node has not passed answers after the first one to the socket yet: they are buffered in the answer.
  for (const [answer, requestBytes] of answers) bytes += requestBytes + (answer.socket ? 0 : answer.writableLength);
  return bytes;
}
