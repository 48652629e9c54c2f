import { createServer, type Server } from 'node:net';
import { LocalRedisError } from './running-server.ts';

/** Returns `count` different loopback ports that were free a moment ago. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, () => listen(0)));
  return Promise.all(servers.map(release));
}

/** Returns the port if it was free a moment ago. Rejects with `LocalRedisError`. */
export async function requireFree(port: number): Promise<number> {
  return release(await listen(port));
}

function listen(wanted: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) =>
      reject(new LocalRedisError(`Port ${wanted} of 127.0.0.1 cannot be used for the private Redis: ${error.message}`)),
    );
    server.listen(wanted, '127.0.0.1', () => resolve(server));
  });
}

function release(server: Server): Promise<number> {
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error(`a TCP server listens on ${address}`);
  return new Promise((resolve) => server.close(() => resolve(address.port)));
}
