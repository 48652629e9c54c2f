import type { IncomingMessage, Server, ServerResponse } from 'node:http';

type TcpSocket = IncomingMessage['socket'];

/** Bounds of what connections may make us hold in memory. */
export type ConnectionLimits = {
  /** Open connections in all. */
  readonly connections: number;
  /** Answers under way on one connection: a program may ask again before it has read, but not without end. */
  readonly answersEach: number;
  /** Beyond this many bytes in all, connections that are stuck are closed, and new requests get 503. */
  readonly bytes: number;
  /** Beyond this many bytes in all, the connections that hold most are closed, stuck or not. */
  readonly bytesAtMost: number;
  /** What may arrive until the bytes are counted again: `bytesAtMost` is exceeded by at most that. */
  readonly bytesBetweenCounts: number;
  /** Unfinished requests with more than `LARGE` bytes. */
  readonly largeRequests: number;
  /** A connection is stuck when it holds bytes and has taken none for this long. */
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

/** The same with another room for bytes. */
export function limitsWithin(bytes: number): ConnectionLimits {
  return { ...LIMITS, bytes, bytesAtMost: 1.5 * bytes };
}

/** Node's parser copies an unfinished head with each piece that arrives: cheap for small heads, or a few large ones. */
const LARGE = 64 * 1024;
/** A large request that is not finished within this time makes room for another. */
const LARGE_MS = 1000;
const LOOK_EVERY_MS = 250;

/** What one connection makes us hold. */
type Held = {
  /** Answers that are not wholly sent, and the bytes of the request that each keeps. */
  readonly answers: Map<ServerResponse, number>;
  /** How much of what it sent had been dealt with by the last request or message. */
  readUpTo: number;
  /** How much it had taken when we looked last, and since when that has not changed. */
  taken: number;
  since: number;
  /** It carries a page's live channel, which has a bound of its own. */
  isPage: boolean;
};

/**
 * Every TCP connection of the server, and the bytes each makes us hold: answers it does not read, their requests, and
 * requests or messages it has begun and not ended.
 *
 * Where memory is short, the connections that are stuck make room. So a program that asks and does not read closes its
 * own connections, and a page that reads is served.
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

  constructor(server: Server, limits = LIMITS, now = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
    server.on('connection', (socket: TcpSocket) => this.#admit(socket));
    server.on('close', () => clearInterval(this.#timer));
    this.#timer = setInterval(() => this.makeRoom(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  /** Why a request cannot be answered now; undefined when it can, and then it counts until its answer is sent. */
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

  /** What the connection has sent so far is dealt with: it is held no longer. */
  noteRead(socket: TcpSocket): void {
    this.#large.delete(socket);
    const held = this.#held.get(socket);
    if (held) held.readUpTo = socket.bytesRead;
  }

  /** Whether there is room for one more answer. */
  hasRoom(): boolean {
    return this.makeRoom() <= this.#limits.bytes;
  }

  /** The connection carries a page's live channel from now on. */
  notePage(socket: TcpSocket): void {
    this.noteRead(socket);
    const held = this.#held.get(socket);
    if (held) held.isPage = true;
  }

  /** Closes connections where they hold too much; returns how many bytes all of them hold now. */
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
      // The messages of a page are its channel's to read: this would keep the socket flowing where they wait.
      if (held.isPage) return void socket.off('data', onData);
      this.#arrived += data.length;
      if (socket.bytesRead - held.readUpTo > LARGE) this.#noteLarge(socket);
      if (this.#arrived >= this.#limits.bytesBetweenCounts) this.makeRoom();
    };
    socket.on('data', onData);
    if (this.#held.size <= this.#limits.connections) return;
    // The oldest one that waits for no answer makes room: a program that only connects cannot keep others out.
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
  // Answers behind the first one are not handed to the connection yet: Node keeps them with the answer.
  for (const [answer, requestBytes] of answers) bytes += requestBytes + (answer.socket ? 0 : answer.writableLength);
  return bytes;
}
