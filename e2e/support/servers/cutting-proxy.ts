import { connect as connectTcp, createServer, type Server, type Socket } from 'node:net';
import { pause } from '../wait-for.ts';

/** Replies go from Redis to its client, requests to Redis. */
type Direction = 'replies' | 'requests';

/** A TCP proxy to Redis that can cut, delay or lose what Redis and its clients send. */
export type CuttingProxy = {
  port: number;
  /** Destroys each open connection after this many more bytes from Redis. Later connections are not affected. */
  cutAfter(bytes: number): void;
  /** From now on, the last bytes of each chunk from Redis arrive this much later: in the middle of a line. */
  stallMidLine(ms: number): void;
  /** From now on, each line of MONITOR arrives this much later than the line before. */
  stallBetweenLines(ms: number): void;
  /** Limits the data from Redis to this rate, for each connection. */
  limitRate(bytesPerSecond: number): void;
  /** Destroys every connection, and each new one at once, until `open`. */
  shut(): void;
  open(): void;
  /** New connections lead to this port. Open ones stay where they are. */
  leadTo(port: number): void;
  /** Passes nothing on, in both directions, and closes nothing, until `thaw`. */
  freeze(): void;
  thaw(): void;
  /**
   * From now on, drops everything that is sent in these directions, including the end of a connection: on all open
   * connections, or on the one whose index `choose` returns.
   */
  lose(directions: readonly Direction[], choose?: (count: number) => number): void;
  /** How many connections `cutAfter` and `shut` have cut. Connections refused while the proxy was shut do not count. */
  cuts(): number;
  close(): Promise<void>;
};

type Link = { readonly client: Socket; readonly server: Socket; left: number; readonly lost: Set<Direction> };

/** Fewer bytes than any line of MONITOR has, so only the end of such a line is late. */
const LAST_BYTES = 5;

/** Starts a proxy that forwards everything to a port of this machine. */
export async function startCuttingProxy(toPort: number): Promise<CuttingProxy> {
  const links = new Set<Link>();
  /** Connections to Redis whose client is gone, though Redis does not know it. */
  const abandoned = new Set<Socket>();
  let port = toPort;
  let cuts = 0;
  let isShut = false;
  let isFrozen = false;
  let stallMs = 0;
  let apartMs = 0;
  let bytesPerSecond = Number.POSITIVE_INFINITY;
  const proxy = createServer((client) => {
    if (isShut) return void client.destroy();
    const server = connectTcp(port, '127.0.0.1');
    const link: Link = { client, server, left: Number.POSITIVE_INFINITY, lost: new Set() };
    links.add(link);
    if (isFrozen) for (const socket of [client, server]) socket.pause();
    const end = (): void => {
      links.delete(link);
      client.destroy();
      if (!link.lost.has('requests')) return void server.destroy();
      abandoned.add(server);
      server.resume();
    };
    const endOfServer = (): void => {
      abandoned.delete(server);
      server.destroy();
      if (!link.lost.has('replies')) end();
    };
    client.on('error', end).on('close', end);
    server.on('error', endOfServer).on('close', endOfServer);
    const passOn = (chunk: Buffer): void => {
      if (bytesPerSecond < Number.POSITIVE_INFINITY) {
        client.write(chunk);
        server.pause();
        setTimeout(() => server.resume(), (chunk.length / bytesPerSecond) * 1000);
        return;
      }
      if (apartMs > 0) return void oneByOne(chunk);
      if (stallMs === 0 || chunk.length <= LAST_BYTES) return void client.write(chunk);
      client.write(chunk.subarray(0, -LAST_BYTES));
      server.pause();
      setTimeout(() => {
        client.write(chunk.subarray(-LAST_BYTES));
        server.resume();
      }, stallMs);
    };
    const oneByOne = async (chunk: Buffer): Promise<void> => {
      server.pause();
      for (const line of chunk.toString('latin1').split(/(?<=\r\n)(?=\+)/)) {
        client.write(Buffer.from(line, 'latin1'));
        await pause(apartMs);
      }
      server.resume();
    };
    client.on('data', (chunk: Buffer) => link.lost.has('requests') || (server.writable && server.write(chunk)));
    server.on('data', (chunk: Buffer) => {
      if (link.lost.has('replies')) return;
      if (chunk.length <= link.left) {
        link.left -= chunk.length;
        passOn(chunk);
        return;
      }
      cuts++;
      client.write(chunk.subarray(0, link.left), end);
    });
  });
  const ownPort = await listenAnywhere(proxy);
  return {
    port: ownPort,
    leadTo(nextPort) {
      port = nextPort;
    },
    cutAfter(bytes) {
      for (const link of links) link.left = bytes;
    },
    stallMidLine(ms) {
      stallMs = ms;
    },
    stallBetweenLines(ms) {
      apartMs = ms;
    },
    limitRate(bytes) {
      bytesPerSecond = bytes;
    },
    shut() {
      isShut = true;
      cuts += links.size;
      for (const { client } of links) client.destroy();
    },
    open() {
      isShut = false;
    },
    freeze() {
      isFrozen = true;
      for (const { client, server } of links) for (const socket of [client, server]) socket.pause();
    },
    thaw() {
      isFrozen = false;
      for (const { client, server } of links) for (const socket of [client, server]) socket.resume();
    },
    lose(directions, choose) {
      const all = [...links];
      const affected = choose === undefined ? all : all.slice(choose(all.length)).slice(0, 1);
      for (const { lost } of affected) for (const direction of directions) lost.add(direction);
    },
    cuts: () => cuts,
    async close() {
      for (const { client, server } of links) for (const socket of [client, server]) socket.destroy();
      for (const server of abandoned) server.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

/** Listens on a free port of the loopback interface and returns the port. */
export function listenAnywhere(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address && typeof address === 'object') resolve(address.port);
      else reject(new Error('a TCP server has a port'));
    });
  });
}
