import { isTokenLike, libraryOfValue, UUID4 } from './token-libraries.ts';

/** How a string key that was found in Redis is known to be a lock. */
export type FoundToken = {
  /** The library that does it this way; undefined: none that is known. */
  readonly library: string | undefined;
  /** False: its name and value only look like a lock's. */
  readonly isSure: boolean;
};

/**
 * What a string key is taken for that nobody was seen to lock: by its name and value, which must both look like a lock's.
 * Undefined: anything else. `isNamed`: the user asked for such names.
 *
 *   job-lock:default:nightly   ADDED:2026-…@host:uuid     ShedLock         surely
 *   redlock:orders             uuid of version 4          Pottery          surely
 *   bull:mail:17:lock          a worker's uuid:3          BullMQ
 *   app-locks:orders           uuid of version 4          Spring Integration
 *   lock:orders                16 characters and more     whoever
 */
export function tokenLockFrom(
  name: string,
  value: string,
  hasLease: boolean,
  isNamed: boolean,
): FoundToken | undefined {
  if (!ONE_WORD.test(value) || name.startsWith('redisson_')) return undefined;
  const seems = libraryOfValue(name, value);
  if (seems?.isSure) return seems;
  const isLockName = LOCK_WORD.test(name);
  if (!isLockName && !isNamed) return undefined;
  const isToken = isTokenLike(value) || UUID4.test(value);
  if (hasLease && isLockName && BULL_JOB.test(name)) return { library: 'bullmq', isSure: false };
  if (seems) return { library: seems.library, isSure: false };
  if (!hasLease) return undefined;
  if (isToken) return { library: springLock(name, value), isSure: false };
  // By hand: a word, which a number is not.
  return isNamed && !IS_NUMBER.test(value) ? { library: undefined, isSure: false } : undefined;
}

/** Whether a key that is set with NX and a lease may be a lock that an application made itself; a cache does the same. */
export function isLikeOwnLock(name: string, value: string): boolean {
  return ONE_WORD.test(value) && !name.startsWith('redisson_') && (LOCK_WORD.test(name) || !IS_NUMBER.test(value));
}

const IS_NUMBER = /^-?[\d.]+$/;

/** Whether a name could be a lock's that is known by its name; cheap, for names of any keys. */
export function hasLockWord(name: string): boolean {
  return LOCK_WORD.test(name);
}

/** `registry:path`, and the registry's own uuid. */
function springLock(name: string, value: string): string | undefined {
  const [registry = '', path] = name.split(':');
  return path !== undefined && LOCK_WORD.test(registry) && UUID4.test(value) ? 'spring-integration' : undefined;
}

/** `lock` or `locks` as a word of its own, in any writing: `job-lock:`, `userLock`, `LOCKS_`; not `block` or `clock`. */
const LOCK_WORD = /(?:^|[^a-z])(?:red)?locks?(?![a-z])|[a-z]Locks?(?![a-z])|(?:^|[^A-Za-z])LOCKS?(?![A-Za-z])|mutex/;
const BULL_JOB = /^bull:.+:[^:]+:lock$/;
const ONE_WORD = /^[\w+/=:@.-]{1,120}$/;
