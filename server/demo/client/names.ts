import { randomBytes } from '../../redis/connection/surroundings.ts';

/** `p:{name}`, or `p:name` if the name contains `{`, so that it may have a hash tag. */
export function prefixName(prefix: string, name: string): string {
  return name.includes('{') ? `${prefix}:${name}` : `${prefix}:{${name}}`;
}

/** `{name}:s`, or `name:s` if the name contains `{`. */
export function suffixName(name: string, suffix: string): string {
  return name.includes('{') ? `${name}:${suffix}` : `{${name}}:${suffix}`;
}

/**
 * The channel to which releases of a plain or fenced lock are published; for a fair lock, the beginning of its
 * channels.
 */
export function lockChannel(name: string): string {
  return prefixName('redisson_lock__channel', name);
}

/** The key that stores the result of one unlock, so that a repeat returns the same result. */
export function unlockLatch(name: string, requestId: string): string {
  return `${prefixName('redisson_unlock_latch', name)}:${requestId}`;
}

/** A request id: 32 hex digits, new for each unlock. */
export function newRequestId(): string {
  return randomBytes(16).toString('hex');
}

/** The id of one thread of a client in Redis: `uuid:thread`. */
export function holderId(uuid: string, thread: number): string {
  return `${uuid}:${thread}`;
}
