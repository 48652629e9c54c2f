import { bareWord } from './bare-word.ts';
import { type FoundToken, isTokenLike, libraryOfValue, SCHEDULE, UUID4 } from './token-libraries.ts';

/**
 * Decides whether a string key is a lock although no client was seen to lock it. Its name and its value must look like
 * a lock's; a few libraries are recognised by one of the two. Undefined: it is not a lock. `isNamed`: the user asked
 * for such names.
 *
 *   job-lock:default:nightly   ADDED:2026-…@host:uuid     ShedLock         sure
 *   redlock:orders             uuid of version 4          unknown          sure
 *   bull:mail:17:lock          a worker's uuid:3          BullMQ
 *   lock:orders                uuid of version 4          unknown; Spring Integration, if its scripts were seen
 *   lock:orders                a word like worker-1-a1b2  unknown
 */
export function tokenLockFrom(
  name: string,
  value: string,
  hasLease: boolean,
  isNamed: boolean,
): FoundToken | undefined {
  const found = libraryOfValue(name, value);
  if (found?.isSure) return found;
  const word = bareWord(value);
  if (!ONE_WORD.test(word) || name.startsWith('redisson_')) return undefined;
  const isLockName = LOCK_WORD.test(name);
  if (!isLockName && !isNamed) return undefined;
  const isToken = isTokenLike(word) || UUID4.test(word);
  if (hasLease && isLockName && BULL_JOB.test(name)) return { library: 'bullmq', isSure: false };
  if (found) return { library: found.library, isSure: false };
  if (!hasLease && !(isLockName && isToken)) return undefined;
  if (isToken || (isLockName && hasLease && isShortToken(value))) return { library: undefined, isSure: false };
  // The user named it: any word is a token, but a number is not.
  return isNamed && !IS_NUMBER.test(word) ? { library: undefined, isSure: false } : undefined;
}

/** Whether a key set with NX and a lease may be an application's own lock; a cache uses the same command. */
export function isLikeOwnLock(name: string, value: string): boolean {
  return !name.startsWith('redisson_') && (LOCK_WORD.test(name) || !IS_NUMBER.test(bareWord(value)));
}

const IS_NUMBER = /^-?[\d.]+$/;

/**
 * Whether a lock may be Spring Integration's: the name is `registry:path`, the value the registry's uuid. Many other
 * locks look the same.
 */
export function isLikeSpring(name: string, value: string): boolean {
  const [registry = '', path] = name.split(':');
  return path !== undefined && LOCK_WORD.test(registry) && UUID4.test(value);
}

/**
 * Whether a value is a word of 8 characters or more with letters and digits, for example the name of a worker. In a key
 * that is named like a lock, it is a token.
 */
export function isShortToken(value: string): boolean {
  const word = bareWord(value);
  return word.length >= 8 && /\d/.test(word) && /[a-z]/i.test(word);
}

/**
 * Whether a key has the name of a lock: it contains `lock` as a word or `mutex`, or has the form of Laravel's
 * scheduler. Fast enough for the names of all keys.
 */
export function isLockName(name: string): boolean {
  return LOCK_WORD.test(name) || SCHEDULE.test(name);
}

/** Whether a key has the name of a lock or a semaphore, in any form. */
export function isNameOfForm(name: string): boolean {
  return isLockName(name) || SEMAPHORE_WORD.test(name);
}

/**
 * Whether the name of a key shows that it is not a lock. Such keys are also set with NX, so they may behave like locks.
 */
export function isOtherName(name: string): boolean {
  return !isLockName(name) && OTHER_WORD.test(name);
}

/** Whether a key that was set with NX and without a lease is a lock: a cache or a counter has other names. */
export function isEndlessLock(name: string, value: string): boolean {
  return ONE_WORD.test(bareWord(value)) && !name.startsWith('redisson_') && LOCK_WORD.test(name);
}

/**
 * `lock`, `locks` or `redlock` as a separate word in upper or lower case, or `mutex` anywhere: `job-lock:`, `userLock`,
 * `Order_Lock`, `LOCKS_`; not `block`, `stallBlock` or `clock`.
 */
const LOCK_WORD =
  /(?:^|[^A-Za-z])(?:red)?locks?(?![a-z])|Locks?(?![a-z])|(?:^|[^A-Za-z])LOCKS?(?![A-Za-z])|mutex|Mutex|MUTEX/;
const SEMAPHORE_WORD = /(?:^|[^a-z])semaphores?(?![a-z])/i;
const OTHER_WORD =
  /(?:^|[^a-z])(?:cached?|captcha|codes?|cooldown|csrf|debounce|dedup(?:e|lication)?|etag|heartbeat|idempoten(?:t|cy)|jti|login|nonce|online|otp|presence|rate|seen|sess(?:ion)?s?|sockets?|throttle|tickets?|tokens?|unique(?:jobs)?|verif(?:y|ication)|ws)(?![a-z])/i;
const BULL_JOB = /^bull:.+:[^:]+:lock$/;
const ONE_WORD = /^[\w+/=:@.-]{1,120}$/;
