import type { Server } from 'socket.io';
import { isJsonWithin, type JsonBounds } from '../../shared/base/json-bounds.ts';
import type { Bounds } from '../http/limits/room.ts';
import { MessageRate } from './message-rate.ts';

/** Connections of the live channel that have not sent `hello`. */
const MOST_NEW = 250;
/** Messages queued for one connection. The hub sends one and waits until it is taken, so the queue is usually short. */
const MOST_WAITING = 100;
/** A page wants at most 1,000 locks. Parsed brackets would take a hundred times the memory of the message. */
const MESSAGE_BOUNDS: JsonBounds = { depth: 16, values: 5000 };
/** How long a connection may take to close cleanly. */
const CLOSE_WITHIN_MS = 1000;

type Engine = Server['engine'];
/** One connection: `Socket.conn` of socket.io. */
type EngineSocket = import('socket.io').Socket['conn'];

/** What the hub does with connections that `boundMessages` watches. */
type BoundConnections = {
  /** Notes that the connection has sent `hello`: it is a page, and no longer counted as new. */
  admit(conn: EngineSocket): void;
  /** Closes a connection, even one that does not read. */
  end(conn: EngineSocket): void;
};

/**
 * Limits how fast a connection may send, how many messages are queued for it, and how many connections have not sent
 * `hello`.
 */
export function boundMessages(engine: Engine, connections: Bounds | undefined): BoundConnections {
  const newConnections = new Set<EngineSocket>();
  const end = (conn: EngineSocket) => {
    const { socket } = conn.request;
    conn.close();
    setTimeout(() => socket.destroy(), CLOSE_WITHIN_MS).unref();
  };
  engine.on('connection', (conn: EngineSocket) => {
    newConnections.add(conn);
    conn.once('close', () => newConnections.delete(conn));
    const [oldest] = newConnections;
    if (newConnections.size > MOST_NEW && oldest) {
      newConnections.delete(oldest);
      end(oldest);
    }
    const rate = new MessageRate(performance.now());
    const onMessage = () => {
      connections?.noteRead(conn.request.socket);
      const isFlooded = insideOf(conn).writeBuffer.length > MOST_WAITING;
      if (!rate.take(performance.now()) || isFlooded) conn.request.socket.destroy();
    };
    conn.on('packet', onMessage);
    conn.on('packet', (packet: { type: string; data?: unknown }) => {
      if (typeof packet.data !== 'string' || isJsonWithin(MESSAGE_BOUNDS, packet.data)) return;
      packet.type = 'noop'; // otherwise socket.io would parse it
      conn.request.socket.destroy();
    });
    // Each ping frame is answered at once, even if the client reads nothing.
    insideOf(conn).transport.socket.on('ping', onMessage);
  });
  return { admit: (conn) => void newConnections.delete(conn), end };
}

/** Fields that are missing in the types of socket.io: the queued messages, and the WebSocket. */
function insideOf(conn: EngineSocket) {
  return conn as unknown as { writeBuffer: readonly unknown[]; transport: { socket: NodeJS.EventEmitter } };
}
