import { createClient, type RedisClientOptions } from 'redis';

/** Longer than any call waits in a test. */
const PATIENCE_MS = 600_000;
/** How long connecting may take on a busy machine. */
const CONNECTED_WITHIN_MS = 30_000;

/**
 * A client, not connected yet, whose calls fail only if Redis refuses them or the connection is lost. By default, a
 * call also fails if it cannot be sent within 5 s, which happens on a busy machine.
 */
export function patientClient({ socket, ...options }: Pick<RedisClientOptions, 'url' | 'name' | 'socket'>) {
  return createClient({
    ...options,
    socket: { connectTimeout: CONNECTED_WITHIN_MS, ...socket },
    commandOptions: { timeout: PATIENCE_MS },
  });
}
