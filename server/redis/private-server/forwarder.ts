import { connect, createServer, type Socket } from 'node:net';
import { localUrl } from './local-redis.ts';

/** An address that forwards to a server of our choice, as the endpoint of a replication group does. */
export type Forwarder = {
  readonly url: string;
  /** Forwards to another port of this machine from now on. Open connections end. */
  pointTo(port: number): void;
  close(): Promise<void>;
};

/** Opens a forwarder to this port, at a free loopback port. `password`: that of the servers, for the URL. */
export async function openForwarder(port: number, password?: string): Promise<Forwarder> {
  let target = port;
  const open = new Set<Socket>();
  const endAll = () => {
    for (const socket of open) socket.destroy();
  };
  const server = createServer((caller) => {
    const callee = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [caller, callee],
      [callee, caller],
    ] as const) {
      open.add(from);
      from.setNoDelay(true);
      from.pipe(to);
      from.on('error', () => undefined); // 'close' follows, which is handled below
      from.on('close', () => {
        open.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error(`a TCP server listens on ${address}`);
  return {
    url: localUrl(address.port, password),
    pointTo(other) {
      target = other;
      endAll();
    },
    close() {
      endAll();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
