import { randomUUID } from 'node:crypto';
import { createCluster } from 'redis';
import { waitFor } from '../wait-for.ts';
import { ACQUIRE, channelOf, RELEASE } from './app.ts';

/** An application's client of a cluster, which follows the slots: `acquire` and `release` as in `app.ts`. */
export type ClusterApp = {
  readonly holder: string;
  acquire(lock: string, leaseMs?: number): Promise<unknown>;
  release(lock: string): Promise<unknown>;
  /** SET NX PX. Returns null if another client holds the lock. */
  takeToken(lock: string, token: string): Promise<unknown>;
  /** GET and DEL in one script. */
  releaseToken(lock: string, token: string): Promise<unknown>;
  close(): void;
};

const LEASE_MS = 600_000;
const RELEASE_TOKEN = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end`;

/** Connects to a cluster by the addresses of its masters. */
export async function connectClusterApp(nodes: readonly string[]): Promise<ClusterApp> {
  const client = createCluster({ rootNodes: nodes.map((node) => ({ url: `redis://${node}` })) });
  client.on('error', () => undefined); // a lost connection shows in the next command
  await client.connect();
  const holder = `${randomUUID()}:1`;
  const run = async (script: string, keys: string[], words: string[]): Promise<unknown> => {
    const { reply } = await waitFor('the keys to be on one server', async (missing) => {
      try {
        return { reply: await client.eval(script, { keys, arguments: words }) };
      } catch (error) {
        // The keys of a slot that moves are on two servers for a moment.
        if (error instanceof Error && error.message.startsWith('TRYAGAIN')) return missing(error.message);
        throw error;
      }
    });
    return reply;
  };
  return {
    holder,
    acquire: (lock, leaseMs = LEASE_MS) => run(ACQUIRE, [lock], [String(leaseMs), holder]),
    release: (lock) => run(RELEASE, [lock, `${channelOf(lock)}`], ['0', String(LEASE_MS), holder]),
    takeToken: (lock, token) =>
      client.set(lock, token, { condition: 'NX', expiration: { type: 'PX', value: LEASE_MS } }),
    releaseToken: (lock, token) => run(RELEASE_TOKEN, [lock], [token]),
    close: () => client.destroy(),
  };
}
