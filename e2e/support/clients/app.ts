import { createHash, randomUUID } from 'node:crypto';
import { patientClient } from '../lockscope/patient-client.ts';

/** A word of a command; a Buffer if it is not text. */
type Word = string | Buffer;

/** Our own scripts, which run the same commands as Redisson's (`docs/protocol.md` 5). */
export const ACQUIRE = `if redis.call('exists', KEYS[1]) == 0 or redis.call('hexists', KEYS[1], ARGV[2]) == 1 then
redis.call('hincrby', KEYS[1], ARGV[2], 1) redis.call('pexpire', KEYS[1], ARGV[1]) return nil end
return redis.call('pttl', KEYS[1])`;
export const RELEASE = `if redis.call('hexists', KEYS[1], ARGV[3]) == 0 then return nil end
if redis.call('hincrby', KEYS[1], ARGV[3], -1) > 0 then redis.call('pexpire', KEYS[1], ARGV[2]) return 0 end
redis.call('del', KEYS[1]) redis.call('publish', KEYS[2], ARGV[1]) return 1`;

/** An application's connection: sends any command, and uses locks by script. */
export type App = {
  uuid: string;
  /** `uuid:thread`, as Redis and Lockscope write it. */
  holder(thread?: number): string;
  command(...words: Word[]): Promise<unknown>;
  /** One attempt. Returns null if acquired or re-entered, otherwise the TTL of the lock in ms. */
  acquire(lock: Word, options?: { thread?: number; leaseMs?: number }): Promise<unknown>;
  /** Returns 1 if released, 0 if still held, null if not the holder. */
  release(lock: Word, options?: { thread?: number; leaseMs?: number }): Promise<unknown>;
  close(): Promise<void>;
};

/** Connects to that URL. A lost connection is not opened again. `lease` is used for calls without `leaseMs`, in ms. */
export async function connectApp(url: string, { name = '', lease = 60_000 } = {}): Promise<App> {
  const client = patientClient({ url, name, socket: { reconnectStrategy: false } });
  client.on('error', () => undefined); // a lost connection shows in the next command
  await client.connect();
  const uuid = randomUUID();
  const holder = (thread = 1): string => `${uuid}:${thread}`;
  const command = (...words: Word[]): Promise<unknown> => client.sendCommand(words);
  return {
    uuid,
    holder,
    command,
    acquire: (lock, { thread, leaseMs = lease } = {}) =>
      command('EVAL', ACQUIRE, '1', lock, String(leaseMs), holder(thread)),
    release: (lock, { thread, leaseMs = lease } = {}) =>
      command('EVAL', RELEASE, '2', lock, channelOf(lock), '0', String(leaseMs), holder(thread)),
    close: async () => {
      if (client.isOpen) client.destroy();
    },
  };
}

/**
 * Subscribes to a lock's wake-ups on a separate connection, like a client with a waiter. Returns a function that ends
 * the subscription.
 */
export async function listenFor(url: string, lock: string): Promise<() => Promise<void>> {
  const client = patientClient({ url, socket: { reconnectStrategy: false } });
  client.on('error', () => undefined);
  await client.connect();
  await client.subscribe(channelOf(lock).toString(), () => undefined);
  return async () => {
    await client.unsubscribe();
    client.destroy();
  };
}

/**
 * Makes a thread of an application wait for a held lock: two refused attempts, with a subscription between them.
 * Returns a function that ends the subscription.
 */
export async function waitIn(url: string, app: App, lock: string): Promise<() => Promise<void>> {
  await app.acquire(lock);
  const stopListening = await listenFor(url, lock);
  await app.acquire(lock);
  return stopListening;
}

/** The channel on which a lock's releases publish. */
export function channelOf(lock: Word): Word {
  const [before, after] = lock.includes('{') ? ['', ''] : ['{', '}'];
  return Buffer.concat([
    Buffer.from(`redisson_lock__channel:${before}`),
    Buffer.from(lock as Buffer),
    Buffer.from(after),
  ]);
}

/** The SHA-1 of a script, for EVALSHA. */
export function shaOf(script: string): string {
  return createHash('sha1').update(script).digest('hex');
}
