/** The flags that report every change of a lock. `E` without `K`, so that each change is sent once. */
const EVERY_CHANGE = 'Eghxe';
/** Since Redis 8.2: a command replaced the key by one of another type. `$` would also report every other SET. */
const TYPE_CHANGED = 'c';

/** Since Redis 8.8: flags that report the changed fields of a hash, each on its own channel. */
export const FIELD_FLAGS = { byKey: 'S', byEvent: 'T' } as const;

/** A server as it names itself, for example `redis` 8.2.1. */
export type ServerVersion = { readonly server: string; readonly version: string };

/**
 * The value that `notify-keyspace-events` should have on this server; without a version, the flags that every server
 * knows.
 */
export function advisedKeyEvents(of?: ServerVersion): string {
  return of && isRedisSince(of, 8, 2) ? `${EVERY_CHANGE}${TYPE_CHANGED}` : EVERY_CHANGE;
}

/** Whether this server can send the fields of a hash with its key events. */
export function knowsFields(of: ServerVersion): boolean {
  return isRedisSince(of, 8, 8);
}

/**
 * Whether these flags carry the fields, in one of the two forms that Lockscope uses. The flag of hashes (`h`, or `A`)
 * is needed as well.
 */
export function hasFields(flags: string): boolean {
  return /[ST]/.test(flags) && /[Ah]/.test(flags);
}

/**
 * Adds the flags that Lockscope needs to those already set. `A` is short for most classes of events, but not for the
 * channel (`K`, `E`) or for newer classes.
 */
export function withKeyEvents(before: string, of?: ServerVersion): string {
  const added = [...advisedKeyEvents(of)].filter((flag) => !before.includes('A') || !COVERED_BY_A.has(flag));
  return [...new Set([...before, ...added])].join('');
}

const COVERED_BY_A: ReadonlySet<string> = new Set('g$lshzxetd');

/** Whether this is Redis in this version or a later one. Valkey has other version numbers, so it never is. */
export function isRedisSince({ server, version }: ServerVersion, major: number, minor: number): boolean {
  const [first = 0, second = 0] = version.split('.').map(Number);
  return server === 'redis' && (first > major || (first === major && second >= minor));
}
