import type { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';

export type TcpSocket = IncomingMessage['socket'];

/** Limits of the memory that requests, answers and live channels use together. */
export type RoomLimits = {
  /** Pending answers per connection: a program may send further requests before it reads, up to this number. */
  readonly answersEach: number;
  /** Above this many bytes in total, what is stuck is closed, and new requests get 503. */
  readonly bytes: number;
  /** Above this many bytes in total, the largest are closed, stuck or not. */
  readonly bytesAtMost: number;
  /** A reader is stuck if bytes are buffered for it and it has read nothing for this long. */
  readonly stuckMs: number;
};

/** Something for which bytes are buffered. */
export type Held = {
  /** Bytes that are buffered now. */
  bytes(): number;
  /** Bytes that the reader has read so far. */
  taken(): number;
  /** Frees the memory at once. Undefined: it cannot be freed now. */
  readonly close: (() => void) | undefined;
};

/** Through this, requests, answers and pages report the memory that they use, and ask for more. */
export type Bounds = {
  /** Whether its connections are only ours, so that a connection may be closed after a refusal. */
  readonly ownsConnections: boolean;
  /** Admits a request, which counts until its answer is sent. Returns a reason if it cannot be answered now. */
  begin(req: IncomingMessage, res: ServerResponse): 'too-many-here' | 'no-room' | undefined;
  /**
   * The bytes that this socket's request or live channel has sent so far are processed, so they are no longer counted.
   */
  noteRead(socket: TcpSocket): void;
  /**
   * From now on, the answer is a stream that has no end. It is not stuck while there is nothing to send, so its request
   * no longer counts, unless that is large.
   */
  noteStream(res: ServerResponse): void;
  /** From now on, the connection carries a page's live channel. */
  notePage(socket: TcpSocket): void;
  /** True if there is memory for another answer. */
  hasRoom(): boolean;
};

const LOOK_EVERY_MS = 250;

/**
 * The bytes buffered for all readers together. Above `bytes`, what is stuck is closed; above `bytesAtMost`, the largest
 * first, stuck or not. So a program that does not read the answers to its requests loses these answers, and a page that
 * reads is served.
 */
export class Room {
  readonly limits: RoomLimits;
  readonly now: () => number;
  readonly #held = new Map<Held, { taken: number; since: number }>();

  /** The readers are checked every 250 ms, until `end` emits `close`. */
  constructor(limits: RoomLimits, now: () => number, end: EventEmitter) {
    this.limits = limits;
    this.now = now;
    const timer = setInterval(() => this.makeRoom(), LOOK_EVERY_MS);
    timer.unref();
    end.on('close', () => clearInterval(timer));
  }

  /** Counts the bytes of `held` from now on. */
  add(held: Held): void {
    this.#held.set(held, { taken: 0, since: this.now() });
  }

  delete(held: Held): void {
    this.#held.delete(held);
  }

  hasRoom(): boolean {
    return this.makeRoom() <= this.limits.bytes;
  }

  /**
   * Closes the readers that are stuck or largest, if too much is buffered. Returns the bytes that are buffered
   * afterwards.
   */
  makeRoom(): number {
    const now = this.now();
    const holders: { held: Held; bytes: number; since: number }[] = [];
    let total = 0;
    for (const [held, seen] of this.#held) {
      const bytes = held.bytes();
      const taken = held.taken();
      if (bytes === 0 || taken !== seen.taken) seen.since = now;
      seen.taken = taken;
      if (bytes === 0) continue;
      total += bytes;
      holders.push({ held, bytes, since: seen.since });
    }
    const { bytes: most, bytesAtMost, stuckMs } = this.limits;
    if (total <= most) return total;
    holders.sort((a, b) => b.bytes - a.bytes);
    const close = (those: typeof holders, limit: number) => {
      for (const { held, bytes } of those) {
        if (total <= limit) return;
        if (!held.close) continue;
        total -= bytes;
        this.#held.delete(held);
        held.close();
      }
    };
    const isStuck = ({ since }: { since: number }) => now - since >= stuckMs;
    close(holders.filter(isStuck), most);
    close(
      holders.filter((each) => !isStuck(each)),
      bytesAtMost,
    );
    return total;
  }
}
