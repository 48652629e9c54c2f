import { randomBytes } from 'node:crypto';

/** `p:{name}`; a name that brings its own hash tag keeps it: `p:name`. */
export function prefixName(prefix: string, name: string): string {
  return name.includes('{') ? `${prefix}:${name}` : `${prefix}:{${name}}`;
}

/** `{name}:s`; a name that brings its own hash tag keeps it: `name:s`. */
export function suffixName(name: string, suffix: string): string {
  return name.includes('{') ? `${name}:${suffix}` : `{${name}}:${suffix}`;
}

/** The channel a release is published on. */
export function lockChannel(name: string): string {
  return prefixName('redisson_lock__channel', name);
}

/** The key that remembers the outcome of one unlock, so that a repeat gives the first answer. */
export function unlockLatch(name: string, requestId: string): string {
  return `${prefixName('redisson_unlock_latch', name)}:${requestId}`;
}

/** A request id: 32 hex letters, new for each unlock. */
export function newRequestId(): string {
  return randomBytes(16).toString('hex');
}

/** How Redis sees one thread of a client. */
export function holderId(uuid: string, thread: number): string {
  return `${uuid}:${thread}`;
}
