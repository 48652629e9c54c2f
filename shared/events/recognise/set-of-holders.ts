import { plusMillis, type RedisTime, redisTime } from '../../base/time.ts';
import type { LineSignal } from '../../signals/signal.ts';
import type { Action } from '../action.ts';
import type { Family } from './family.ts';
import type { ScriptRun } from './script-run.ts';
import { countFrom } from './semaphore.ts';
import { isLockName } from './token-found.ts';
import { isTokenLike, libraryScriptFromHead } from './token-libraries.ts';

/**
 * A lock or semaphore in a sorted set, as several libraries and stores have: a member for each holder, scored with a time.
 * Members whose time is over are removed first.
 *
 *   zremrangebyscore K -inf 9000 → zcard|zscore K → zadd K 13000 id     id holds a permit for 4 s, or keeps it
 *   zremrangebyscore K -inf 9000 → zcard|zscore K                       refused
 *   [zscore K id →] zrem K id                                           released
 *
 * The lease is the score without the time up to which members are removed. It does not depend on the client's clock, nor on
 * whether the score is the end of the lease or its beginning.
 *
 * A rate limit is such a set as well: a member for each request, scored with its time. Only the SHA of a library's script, or a
 * score in the future, shows a holder with a lease.
 */
export const SET_OF_HOLDERS: Family = {
  kind: 'expirable-semaphore',
  begins: ['zremrangebyscore', 'zscore', 'zrem'],
  recognise: (run) => (run.names[0] === 'zremrangebyscore' ? leasing(run) : returning(run)),
};

function leasing(run: ScriptRun): Action[] | undefined {
  const { keys, args, lines, names } = run;
  const [key = ''] = keys;
  const [first] = lines;
  const isOfKey = lines.every(({ words }) => keys.includes(words[1] ?? ''));
  if (!first || !isOfKey || !names.some((name) => name === 'zcard' || name === 'zscore')) return undefined;
  const added = lines.filter((_, n) => names[n] === 'zadd').flatMap(({ words }) => membersOf(words, args));
  const bound = timeFrom(first.words[3]);
  const { library, operation } = libraryScriptFromHead(run.head) ?? {};
  const { at } = lines.at(-1) ?? first;
  if (bound === undefined) return undefined;
  const of = { at, lock: key, library, bound, limit: limitIn(args, library) };
  if (added.length === 0) {
    const renewed = operation === 'renew' ? lines.find((_, n) => names[n] === 'zscore')?.words[2] : undefined;
    const permits = permitsAsked(args);
    const refused = { ...of, do: 'refuse-lease', permits, renewed, isProven: library !== undefined } as const;
    return names.includes('zadd') ? undefined : [refused, ...strange(run, key, at)];
  }
  const [{ score } = { score: undefined }] = added;
  if (score === undefined || score <= bound) return undefined;
  const isProven = library !== undefined || (score > plusMillis(at, AHEAD) && added.every(({ id }) => isTokenLike(id)));
  const ids = added.map(({ id }) => id);
  return [{ ...of, do: 'lease-permits', ids, score, isProven }, ...strange(run, key, at)];
}

/** A clock may be ahead of Redis's by this much. */
const AHEAD = 500;

/** A rate limit only counts its members. */
function strange({ names }: ScriptRun, key: string, at: RedisTime): Action[] {
  return names.includes('zscore') || isLockName(key) ? [{ at, do: 'strange-lock', key, form: 'sorted-set' }] : [];
}

function returning({ keys, lines, names }: ScriptRun): Action[] | undefined {
  const [key] = keys;
  const removal = lines.at(-1);
  const isOfKey = key !== undefined && keys.length === 1 && lines.every(({ words }) => words[1] === key);
  if (!isOfKey || !removal || names.some((name, n) => name !== (n === names.length - 1 ? 'zrem' : 'zscore')))
    return undefined;
  return [membersRemoved(removal)];
}

/** `ZREM K id`: the members that it removes may be holders. */
export function membersRemoved({ at, words }: LineSignal): Action {
  return { at, do: 'remove-members', lock: words[1] ?? '', ids: words.slice(2) };
}

/** The members that a ZADD adds, as far as they come from the arguments of the script: others are marks of a library. */
function membersOf(words: readonly string[], args: readonly string[]): { id: string; score: RedisTime | undefined }[] {
  return words.flatMap((id, n) => {
    const isOwn = n > 2 && n % 2 === 1 && args.some((arg) => arg === id || id.startsWith(`${arg}_`));
    return isOwn ? [{ id, score: timeFrom(words[n - 1]) }] : [];
  });
}

/** How many permits a client of redis-semaphore allows: LIMIT is the first argument of each of its scripts with a lease. */
function limitIn([limit]: readonly string[], library: string | undefined): number | undefined {
  return library === 'redis-semaphore' ? countFrom(limit) : undefined;
}

/** How many permits a MultiSemaphore of redis-semaphore asks for: LIMIT PERMITS ID LEASE NOW. */
function permitsAsked(args: readonly string[]): number {
  return args.length === 5 ? Number(args[1]) || 1 : 1;
}

/** A time in seconds, milliseconds or microseconds, by its number of digits. */
function timeFrom(text: string | undefined): RedisTime | undefined {
  const value = Number(text);
  if (!(value > 1e9)) return undefined;
  return redisTime(Math.round(value < 1e11 ? value * 1e6 : value < 1e14 ? value * 1e3 : value));
}
