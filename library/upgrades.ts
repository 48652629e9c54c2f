import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { IgnoredUpgrades } from '../server/http/guard/ignored-upgrades.ts';

/** Returns the function that takes an upgrade to one of its paths; `undefined` if the upgrade is for another path. */
export type Taker = (req: IncomingMessage) => ((socket: Duplex, head: Buffer) => void) | undefined;

/** All Lockscopes of one server. */
type Registry = { add(taker: Taker): () => void };

/** On the server itself: a second copy of this package in the same process finds it too. */
const KEY = Symbol.for('lockscope.upgrades');
/**
 * An upgrade that no listener has answered or touched after this time is refused, so that it does not hold its
 * connection.
 */
const UNANSWERED_MS = 10_000;
const REFUSAL = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/** Offers each upgrade of a server to this taker before other listeners see it. Returns a function that stops this. */
export function takeUpgrades(server: Server, taker: Taker): () => void {
  const place = server as Server & { [KEY]?: Registry };
  place[KEY] ??= createRegistry(server, () => delete place[KEY]);
  return place[KEY].add(taker);
}

/**
 * One listener for upgrades, however many Lockscopes there are. An upgrade that no Lockscope takes goes to the
 * application:
 *
 *   upgrade ─► a Lockscope takes it        no other listener sees it: a WebSocket server would refuse an unknown path
 *           ─► the application's listeners
 *           ─► without any: the request is answered as it would be without a Lockscope
 */
function createRegistry(server: Server, onEmpty: () => void): Registry {
  const takers = new Set<Taker>();
  const takeOf: Taker = (req) => {
    for (const taker of takers) {
      const take = taker(req);
      if (take) return take;
    }
    return undefined;
  };
  /** Whether the placeholder is the only listener. */
  const isUnheard = () => server.listenerCount('upgrade') === 1 && takers.size > 0;
  const ignored = new IgnoredUpgrades(server, (req) => isUnheard() && !takeOf(req));
  const emit = server.emit as (event: string, ...args: unknown[]) => boolean; // the name may be that of any event
  const hadOwnEmit = Object.hasOwn(server, 'emit');

  /** Without a listener for upgrades, Node would not report them. */
  const placeholder = () => undefined;

  const ownEmit = ((event: string, ...args: unknown[]) => {
    if (event !== 'upgrade') return emit.call(server, event, ...args);
    const [req, socket, head] = args as [IncomingMessage, Duplex, Buffer]; // Node emits these arguments
    const take = takeOf(req);
    if (!take && !isUnheard()) {
      const refuse = refusalOf(req.socket);
      const isHeard = emit.call(server, event, ...args);
      setTimeout(refuse, UNANSWERED_MS).unref();
      return isHeard;
    }
    if (take) take(socket, head);
    else ignored.passOn(req, socket, head);
    return true;
  }) as Server['emit'];

  server.on('upgrade', placeholder);
  server.emit = ownEmit;

  return {
    add(taker) {
      takers.add(taker);
      return () => {
        if (!takers.delete(taker) || takers.size > 0) return;
        onEmpty();
        ignored.stop();
        server.off('upgrade', placeholder);
        // If another program has replaced `emit` since, our function stays in place and passes every event on.
        if (server.emit !== ownEmit) return;
        if (hadOwnEmit) server.emit = emit as Server['emit'];
        else Reflect.deleteProperty(server, 'emit');
      };
    },
  };
}

/** Returns a function that refuses an upgrade, unless its connection was written to, or got a listener, since this call. */
function refusalOf(socket: IncomingMessage['socket']): () => void {
  const listeners = () => socket.eventNames().reduce((sum, name) => sum + socket.listenerCount(name), 0);
  const before = { written: socket.bytesWritten, listeners: listeners() };
  return () => {
    const isTaken = socket.bytesWritten > before.written || socket.writableLength > 0 || listeners() > before.listeners;
    if (isTaken || !socket.writable) return;
    socket.on('error', () => socket.destroy());
    socket.end(REFUSAL, () => socket.destroy());
  };
}
