import type { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LARGE_BYTES } from './connections.ts';
import { type Bounds, type Held, Room, type RoomLimits, type TcpSocket } from './room.ts';

/** Our part of the bytes of a connection: those that arrive while a request or message to us is read from it. */
class OwnBytes {
  readonly #socket: TcpSocket;
  #from: number;
  #end: number | undefined;

  constructor(socket: TcpSocket, before = 0) {
    this.#socket = socket;
    this.#from = socket.bytesRead - before;
  }

  get count(): number {
    return (this.#end ?? this.#socket.bytesRead) - this.#from;
  }

  /** Stops counting the bytes that were read so far. */
  forget(): void {
    this.#from = this.#end ?? this.#socket.bytesRead;
  }

  /** Stops counting: what is read from now on belongs to the application. */
  end(): void {
    this.#end ??= this.#socket.bytesRead;
  }
}

/** One of our answers in an application, with its request. */
class OwnAnswer implements Held {
  readonly request: OwnBytes;
  readonly #res: ServerResponse;

  constructor(res: ServerResponse, request: OwnBytes) {
    this.#res = res;
    this.request = request;
  }

  bytes(): number {
    return this.request.count + this.#res.writableLength;
  }

  taken(): number {
    const { socket } = this.#res;
    return socket ? socket.bytesWritten - socket.writableLength : 0;
  }

  /** While our answer waits behind one of the application, the connection belongs to the application. */
  get close(): (() => void) | undefined {
    return this.#res.socket ? () => void this.#res.destroy() : undefined;
  }
}

/** A live channel of ours: its connection is no longer the application's. */
class OwnPage implements Held {
  readonly messages: OwnBytes;
  readonly #socket: TcpSocket;

  constructor(socket: TcpSocket) {
    this.#socket = socket;
    this.messages = new OwnBytes(socket);
  }

  bytes(): number {
    return this.messages.count + this.#socket.writableLength;
  }

  taken(): number {
    return this.#socket.bytesWritten - this.#socket.writableLength;
  }

  readonly close = () => void this.#socket.destroy();
}

/**
 * Our requests, answers and live channels on the connections of an application. A browser or a proxy uses each
 * connection for the application's own requests too. Only our own bytes count, and a connection without an answer or a
 * live channel of ours is left alone.
 */
export class OwnAnswers implements Bounds {
  readonly ownsConnections = false;
  readonly #room: Room;
  readonly #answers = new Map<ServerResponse, OwnAnswer>();
  /** What is read from a connection for us now: the body of a request, or messages of a page. */
  readonly #reading = new Map<TcpSocket, OwnBytes>();
  readonly #pending = new WeakMap<TcpSocket, number>();

  /** `end`: emits `close` when Lockscope ends. */
  constructor(limits: RoomLimits, end: EventEmitter, now = () => performance.now()) {
    this.#room = new Room(limits, now, end);
  }

  begin(req: IncomingMessage, res: ServerResponse): 'too-many-here' | 'no-room' | undefined {
    const { socket } = req;
    const pending = this.#pending.get(socket) ?? 0;
    if (pending >= this.#room.limits.answersEach) return 'too-many-here';
    const answer = new OwnAnswer(res, new OwnBytes(socket, lengthOfHead(req)));
    this.#pending.set(socket, pending + 1);
    this.#answers.set(res, answer);
    this.#room.add(answer);
    res.once('close', () => {
      this.#pending.set(socket, (this.#pending.get(socket) ?? 1) - 1);
      this.#answers.delete(res);
      this.#room.delete(answer);
    });
    this.#read(req, answer.request);
    return this.#room.hasRoom() ? undefined : 'no-room';
  }

  noteRead(socket: TcpSocket): void {
    this.#reading.get(socket)?.forget();
  }

  noteStream(res: ServerResponse): void {
    const request = this.#answers.get(res)?.request;
    if (request && request.count <= LARGE_BYTES) request.forget();
  }

  notePage(socket: TcpSocket): void {
    const page = new OwnPage(socket);
    this.#room.add(page);
    this.#reading.set(socket, page.messages);
    socket.once('close', () => {
      this.#room.delete(page);
      this.#reading.delete(socket);
    });
  }

  hasRoom(): boolean {
    return this.#room.hasRoom();
  }

  /**
   * Closes answers and live channels if too much is buffered. Returns the bytes that are buffered for us afterwards.
   */
  makeRoom(): number {
    return this.#room.makeRoom();
  }

  /** Counts what arrives until the request is whole. What comes after a request without a body is the application's. */
  #read(req: IncomingMessage, request: OwnBytes): void {
    const { socket, headers } = req;
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    if (!hasBody) return request.end();
    this.#reading.set(socket, request);
    const end = () => {
      request.end();
      if (this.#reading.get(socket) === request) this.#reading.delete(socket);
    };
    req.once('end', end).once('close', end);
  }
}

function lengthOfHead({ url = '', rawHeaders }: IncomingMessage): number {
  return rawHeaders.reduce((sum, text) => sum + text.length + 2, url.length);
}
