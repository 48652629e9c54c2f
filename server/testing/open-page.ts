import { io, type Socket } from 'socket.io-client';
import type { LockEvent } from '../../shared/events/event.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import type { Problem } from '../../shared/wire/problems/problem.ts';
import type {
  BatchMessage,
  ClientToServer,
  ResyncMessage,
  ServerToClient,
  SnapshotMessage,
} from '../../shared/wire/socket.ts';
import { strictProblem } from '../../testing/stories/strict-problem.ts';

/** A message that a page received. */
type Received =
  | { type: 'snapshot'; message: SnapshotMessage }
  | { type: 'batch'; message: BatchMessage }
  | { type: 'resync'; message: ResyncMessage }
  | { type: 'problem'; message: Problem };

/** A page in a test: the messages it received, in order, and the state it builds from them. */
export class TestPage {
  readonly socket: Socket<ServerToClient, ClientToServer>;
  readonly received: Received[] = [];

  constructor(url: string, options: Record<string, unknown> = {}) {
    this.socket = io(url, { reconnection: false, forceNew: true, transports: ['websocket'], ...options });
    this.socket.on('snapshot', (message) => this.received.push({ type: 'snapshot', message }));
    this.socket.on('batch', (message) => this.received.push({ type: 'batch', message }));
    this.socket.on('resync', (message) => {
      if (message.reason !== strictProblem(message).message) throw new Error('the reason is not that of its problem');
      this.received.push({ type: 'resync', message });
    });
    this.socket.on('problem', (message) => {
      this.received.push({ type: 'problem', message: strictProblem(message) });
    });
  }

  connected(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.socket.connected) return resolve();
      this.socket.once('connect', resolve);
      this.socket.once('connect_error', reject);
    });
  }

  get types(): string[] {
    return this.received.map((each) => each.type);
  }

  get batches(): BatchMessage[] {
    return this.received.flatMap((each) => (each.type === 'batch' ? [each.message] : []));
  }

  get snapshot(): SnapshotMessage | undefined {
    return this.received.flatMap((each) => (each.type === 'snapshot' ? [each.message] : [])).at(-1);
  }

  get events(): LockEvent[] {
    return this.batches.flatMap(({ events }) => events);
  }

  get seqs(): number[] {
    return this.events.map((event) => event.seq);
  }

  /** The seq of the newest snapshot or batch; -1: the page has received neither. */
  get seq(): number {
    const last = this.received.findLast(({ type }) => type === 'batch' || type === 'snapshot');
    if (last?.type === 'batch') return last.message.toSeq;
    return last?.type === 'snapshot' ? last.message.seq : -1;
  }

  /** The locks this page knows now, by id. */
  get locks(): Map<string, Lock> {
    const known = new Map<string, Lock>();
    for (const { type, message } of this.received) {
      if (type === 'snapshot') known.clear();
      if (type !== 'snapshot' && type !== 'batch') continue;
      for (const lock of message.locks) known.set(lock.id, lock);
      if (type !== 'snapshot') for (const id of message.gone) known.delete(id);
    }
    return known;
  }

  /** Stops reading from the network, like a page that is too busy. */
  freeze(): void {
    this.#tcp().pause();
  }

  thaw(): void {
    this.#tcp().resume();
  }

  #tcp(): { pause(): void; resume(): void } {
    // socket.io's WebSocket, and its TCP socket, are private fields.
    const { transport } = this.socket.io.engine as unknown as {
      transport: { ws: { _socket: import('node:stream').Duplex } };
    };
    return transport.ws._socket;
  }
}
