import type { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Server as HttpsServer } from 'node:https';
import { type Bounds, type Held, Room, type RoomLimits, type TcpSocket } from './room.ts';

/** Limits of what connections may use. */
type ConnectionLimits = RoomLimits & {
  /** Open connections in all. */
  readonly connections: number;
  /** After this many bytes have arrived, the total is counted again. So it exceeds `bytesAtMost` by at most this. */
  readonly bytesBetweenCounts: number;
  /** Number of unfinished requests with more than `LARGE_BYTES` bytes. */
  readonly largeRequests: number;
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

/** The default limits, but with `bytes` as the limit for bytes, and one and a half times as many at most. */
export function limitsWithin(bytes: number): ConnectionLimits {
  return { ...LIMITS, bytes, bytesAtMost: 1.5 * bytes };
}

/** Node's parser copies unfinished headers with each chunk that arrives. That is cheap if they are small, or few. */
export const LARGE_BYTES = 64 * 1024;
/** A large request that is not finished within this time may be closed in favour of a new request. */
const LARGE_MS = 1000;

/** What is buffered for one connection. */
class Connection implements Held {
  /** Answers that are not fully sent, each with the bytes of its request. */
  readonly answers = new Map<ServerResponse, number>();
  /** Up to which `bytesRead` of the socket the bytes are processed, so that they no longer count as unread. */
  readUpTo = 0;
  /** The connection is a page's live channel, which has its own limit. */
  isPage = false;
  readonly close: () => void;
  readonly #socket: TcpSocket;

  constructor(socket: TcpSocket, close: () => void) {
    this.#socket = socket;
    this.close = close;
  }

  get unread(): number {
    return this.#socket.bytesRead - this.readUpTo;
  }

  taken(): number {
    return this.#socket.bytesWritten - this.#socket.writableLength;
  }

  bytes(): number {
    let bytes = this.#socket.writableLength + this.unread;
    // Node has not passed answers after the first answer to the socket yet: they are buffered in the answer.
    for (const [answer, requestBytes] of this.answers)
      bytes += requestBytes + (answer.socket ? 0 : answer.writableLength);
    return bytes;
  }
}

/**
 * Every TCP connection of a server that is only ours, and the bytes buffered for it: unread answers, their requests,
 * and unfinished requests or messages.
 */
export class Connections implements Bounds {
  readonly ownsConnections = true;
  readonly #open = new Map<TcpSocket, Connection>();
  readonly #limits: ConnectionLimits;
  readonly #room: Room;
  /** Connections with a large unfinished request and since when. */
  readonly #large = new Map<TcpSocket, number>();
  /** Bytes that have arrived since the last count. */
  #arrived = 0;

  /** `server` emits `connection` for each new connection (with TLS, `secureConnection`), and `close` when it ends. */
  constructor(server: EventEmitter, limits = LIMITS, now = () => performance.now()) {
    const opened = server instanceof HttpsServer ? 'secureConnection' : 'connection';
    this.#limits = limits;
    this.#room = new Room(limits, now, server);
    server.on(opened, (socket: TcpSocket) => this.#admit(socket));
  }

  begin(req: IncomingMessage, res: ServerResponse): 'too-many-here' | 'no-room' | undefined {
    const connection = this.#open.get(req.socket);
    if (!connection) return undefined;
    const requestBytes = connection.unread;
    this.noteRead(req.socket);
    if (connection.answers.size >= this.#limits.answersEach) return 'too-many-here';
    connection.answers.set(res, requestBytes);
    res.on('close', () => connection.answers.delete(res));
    req.on('end', () => this.noteRead(req.socket));
    return this.makeRoom() > this.#limits.bytes ? 'no-room' : undefined;
  }

  noteRead(socket: TcpSocket): void {
    this.#large.delete(socket);
    const connection = this.#open.get(socket);
    if (connection) connection.readUpTo = socket.bytesRead;
  }

  noteStream(res: ServerResponse): void {
    const answers = res.req.socket && this.#open.get(res.req.socket)?.answers;
    if (answers && (answers.get(res) ?? 0) <= LARGE_BYTES) answers.set(res, 0);
  }

  hasRoom(): boolean {
    return this.#room.hasRoom();
  }

  notePage(socket: TcpSocket): void {
    this.noteRead(socket);
    const connection = this.#open.get(socket);
    if (connection) connection.isPage = true;
  }

  /** Closes connections if too much is buffered. Returns the bytes buffered for all connections afterwards. */
  makeRoom(): number {
    this.#arrived = 0;
    return this.#room.makeRoom();
  }

  #admit(socket: TcpSocket): void {
    if (this.#open.has(socket)) return; // a server reads it again after an ignored upgrade
    const connection = new Connection(socket, () => this.#close(socket));
    this.#open.set(socket, connection);
    this.#room.add(connection);
    socket.once('close', () => this.#forget(socket));
    // A timer alone is too slow: hundreds of megabytes can arrive before it fires.
    const onData = (data: Buffer) => {
      // The live channel reads a page's messages. This listener would keep the socket flowing while messages must wait.
      if (connection.isPage) return void socket.off('data', onData);
      this.#arrived += data.length;
      if (connection.unread > LARGE_BYTES) this.#noteLarge(socket);
      if (this.#arrived >= this.#limits.bytesBetweenCounts) this.makeRoom();
    };
    socket.on('data', onData);
    if (this.#open.size <= this.#limits.connections) return;
    // Close the oldest idle connection, so that a program that only connects cannot keep others out.
    for (const [oldest, { answers, isPage }] of this.#open) {
      if (answers.size > 0 || isPage) continue;
      this.#close(oldest);
      return;
    }
    this.#close(socket);
  }

  #noteLarge(socket: TcpSocket): void {
    if (this.#large.has(socket)) return;
    const now = this.#room.now();
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
    const connection = this.#open.get(socket);
    if (connection) this.#room.delete(connection);
    this.#open.delete(socket);
    this.#large.delete(socket);
  }
}
