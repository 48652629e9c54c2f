import type { Reply } from './reply.ts';

/** Receives everything that the server writes to one connection, in order. */
export type Output = {
  reply(reply: Reply): void;
  /** A message, a confirmation of a subscription, or an invalidation. */
  push(words: readonly Reply[]): void;
  /** A line of MONITOR, without its end. */
  line(text: string): void;
  /** The server closes the connection. */
  close(): void;
};

/** One connection, from the view of the server. */
export class Session {
  readonly id: number;
  readonly address: string;
  readonly output: Output;
  readonly sinceMs: number;
  /** When the connection's last command arrived. */
  activeMs: number;
  name = '';
  db = 0;
  isMonitor = false;
  readonly channels = new Set<string>();
  readonly patterns = new Set<string>();
  /** CLIENT TRACKING is on. `isCaching`: the keys that the next command of this connection reads are tracked. */
  isTracking = false;
  isCaching = false;
  /** The commands after MULTI; undefined without MULTI. */
  queue: (readonly string[])[] | undefined;

  constructor(id: number, address: string, nowMs: number, output: Output) {
    this.id = id;
    this.address = address;
    this.output = output;
    this.sinceMs = nowMs;
    this.activeMs = nowMs;
  }
}
