import { plusMillis, type RedisTime, redisTime } from '../../base/time.ts';
import type { LineSignal } from '../../signals/signal.ts';
import type { Action } from '../action.ts';
import { isLockName } from '../libraries/token-found.ts';
import { isTokenLike, type LibraryScript, libraryScriptFromHead } from '../libraries/token-libraries.ts';
import { hasWord } from './commands/command-row.ts';
import { expiryOf } from './commands/ends.ts';
import type { Family } from './family.ts';
import { isPublish, type ScriptRun } from './script-run.ts';
import { countFrom } from './semaphore.ts';

/**
 * A lock or semaphore in a sorted set, as several libraries and stores use it: a member for each holder, scored with a
 * time. Members whose time is over are removed first.
 *
 *   zremrangebyscore K -inf 9000 → zcard|zscore K → zadd K 13000 id     id holds a permit for 4 s, or keeps it
 *   zremrangebyscore K -inf 9000 → zcard|zscore K                       refused
 *   zscore K id → zadd K 13000 id                                       id keeps it for 4 s      zscore K id   it had none
 *   [zscore K id →] zrem K id [→ publish]                               released
 *
 * Symfony's scripts begin with TYPE, and have one more member, `__write__`, while the holder is a writer.
 *
 * The lease is the score minus the time up to which members are removed. It depends neither on the client's clock, nor
 * on whether the score is the end of the lease or its beginning.
 *
 * A rate limit is such a set as well: a member for each request, scored with its time. Only the SHA of a library's
 * script, or a score in the future, shows a holder with a lease.
 */
export const SET_OF_HOLDERS: Family = {
  kind: 'expirable-semaphore',
  begins: ['zremrangebyscore', 'zscore', 'zrem', 'type', 'time'],
  recognise(run) {
    if (run.names[0] === 'time') return byServerTime(run);
    if (run.names[0] === 'type') return symfonys(run);
    if (run.names[0] === 'zremrangebyscore') return leasing(run, libraryScriptFromHead(run.head));
    return renewal(run.lines, run) ?? returning(run);
  },
};

type KnownScript = Partial<Pick<LibraryScript, 'library' | 'operation'>> | undefined;

function leasing(run: ScriptRun, known: KnownScript): Action[] | undefined {
  const { keys, args, lines, names } = run;
  const [key = ''] = keys;
  const [first] = lines;
  const isOfKey = lines.every(({ words }) => keys.includes(words[1] ?? ''));
  if (!first || !isOfKey || !names.some((name) => COUNTS.has(name))) return undefined;
  const added = lines.filter((_, n) => names[n] === 'zadd').flatMap(({ words }) => membersOf(words, args));
  const bound = timeFrom(first.words[3]);
  const { library, operation } = known ?? {};
  const { at } = lines.at(-1) ?? first;
  if (bound === undefined) return undefined;
  if (operation === 'query') return [];
  const common = { at, lock: key, library, bound, limit: limitIn(args, library) };
  if (added.length === 0) {
    const renewed = operation === 'renew' ? lines.find((_, n) => names[n] === 'zscore')?.words[2] : undefined;
    const permits = permitsAsked(args);
    const refused = { ...common, do: 'refuse-lease', permits, renewed, isProven: library !== undefined } as const;
    return names.includes('zadd') ? undefined : [refused, ...strange(run, key, at)];
  }
  const [{ score } = { score: undefined }] = added;
  if (score === undefined || score <= bound) return undefined;
  const isProven = library !== undefined || (score > plusMillis(at, AHEAD) && added.every(({ id }) => isTokenLike(id)));
  const ids = added.map(({ id }) => id);
  return [
    { ...common, do: 'lease-permits', ids, score, isProven, keyEnds: endOfKey(run, key) },
    ...strange(run, key, at),
  ];
}

/** The end of the set that the script sets; undefined: it sets none. */
function endOfKey({ lines }: ScriptRun, key: string): RedisTime | undefined {
  const line = lines.findLast(({ words }) => words[1] === key && EXPIRES.test(words[0] ?? ''));
  return line && expiryOf(line.words[0]?.toUpperCase() ?? '', line.at, line.words[2] ?? '');
}

const EXPIRES = /^p?expire(?:at)?$/i;

/** Commands that show how many members there are, or whether the caller is one of them. */
const COUNTS: ReadonlySet<string> = new Set(['zcard', 'zcount', 'zscore']);

/** A client's clock may be ahead of Redis's by this many ms. */
const AHEAD = 500;

/**
 * Reports a lock of unknown form if the key is named like a lock, or if the script looks for one member. A rate limit
 * does not look for a member: it only counts them.
 */
function strange({ names }: ScriptRun, key: string, at: RedisTime): Action[] {
  return names.includes('zscore') || isLockName(key) ? [{ at, do: 'strange-lock', key, form: 'sorted-set' }] : [];
}

function returning({ head, keys, lines, names }: ScriptRun): Action[] | undefined {
  const [key] = keys;
  const isMessage = isPublish(names.at(-1)) && libraryScriptFromHead(head)?.operation === 'release';
  const ownLines = isMessage ? lines.slice(0, -1) : lines;
  const removal = ownLines.at(-1);
  const isOfKey =
    key !== undefined && (isMessage || keys.length === 1) && ownLines.every(({ words }) => words[1] === key);
  if (!isOfKey || !removal || ownLines.some((_, n) => names[n] !== (n === ownLines.length - 1 ? 'zrem' : 'zscore')))
    return undefined;
  return [membersRemoved(removal)];
}

/** The member that Symfony's store adds for a writer. */
export const WRITER = '__write__';
/** Commands that only make the key expire together with its newest member. */
const ENDS: ReadonlySet<string | undefined> = new Set(['zrevrange', 'pexpireat']);

/**
 * A script of Symfony's store, which first checks whether the key is a string, as older versions used it. Its arguments
 * are the time of the client, the holder's token and its lease; a release has only the token.
 */
function symfonys(run: ScriptRun): Action[] | undefined {
  const { keys, args } = run;
  const [key = ''] = keys;
  const rest = run.lines.flatMap((line, n) => (isOfHolder(run, n) ? [{ line, name: run.names[n] ?? '' }] : []));
  const lines = rest.map(({ line }) => line);
  const names = rest.map(({ name }) => name);
  const [first] = lines;
  const token = args.at(args.length === 1 ? 0 : 1);
  if (!first || keys.length !== 1 || token === undefined || lines.some(({ words }) => words[1] !== key))
    return undefined;
  if (names[0] === 'zremrangebyscore') {
    const operation = args.length === 2 ? 'query' : 'acquire';
    return leasing({ ...run, lines, names, shape: names.join(' ') }, { library: SYMFONY, operation });
  }
  if (names[0] !== 'zscore' || first.words[2] !== token) return undefined;
  if (args.length === 1) return [{ at: first.at, do: 'remove-members', lock: key, ids: [token] }];
  const bound = redisTime(Math.floor(first.at / 1000) * 1000);
  const common = { at: first.at, lock: key, library: SYMFONY, bound, limit: undefined, isProven: true } as const;
  const [added] = lines.flatMap((line, n) => (names[n] === 'zadd' ? membersOf(line.words, args) : []));
  if (!added) return [{ ...common, do: 'refuse-lease', permits: 1, renewed: token }];
  return added.score === undefined ? undefined : [{ ...common, do: 'lease-permits', ids: [token], score: added.score }];
}

/** Whether a line of a Symfony script is about its holder. */
function isOfHolder({ lines, names }: ScriptRun, n: number): boolean {
  const { words = [] } = lines[n] ?? {};
  return names[n] !== 'type' && names[n] !== 'time' && !ENDS.has(names[n]) && words.at(-1) !== WRITER;
}

const SYMFONY = 'symfony';

/** A script that asks for the time of the server first, as DistributedLock of .NET does. */
function byServerTime(run: ScriptRun): Action[] | undefined {
  const lines = run.lines.slice(1);
  const names = run.names.slice(1);
  if (names[0] === 'zremrangebyscore') return leasing({ ...run, lines, names, shape: names.join(' ') }, undefined);
  return renewal(lines, run);
}

/**
 * `zscore K id → zadd K 13000 id`, or `zadd K XX [CH] 13000 id`: a renewal, if the member is known. Its lease is
 * correct only if the client's clock agrees with Redis's.
 */
function renewal(lines: readonly LineSignal[], { args }: ScriptRun): Action[] | undefined {
  const [first, second] = lines;
  const isAsked = /^zscore$/i.test(first?.words[0] ?? '');
  const set = isAsked ? second : first;
  const isOther = lines.some(({ words }) => words[1] !== first?.words[1]);
  if (!first || !set || isOther || !/^zadd$/i.test(set.words[0] ?? '')) return undefined;
  const [{ id, score } = { id: '', score: undefined }] = membersOf(set.words, args);
  const isOfMember = hasWord(set.words, 'XX') || (isAsked && first.words[2] === id);
  if (!isOfMember || score === undefined || score <= set.at) return undefined;
  const common = {
    at: set.at,
    lock: set.words[1] ?? '',
    library: undefined,
    limit: undefined,
    isProven: false,
  } as const;
  return [{ ...common, do: 'lease-permits', bound: set.at, ids: [id], score, isOnlyRenewal: true }];
}

/** `ZREM K id`: the members that it removes may be holders. */
export function membersRemoved({ at, words }: LineSignal): Action {
  return { at, do: 'remove-members', lock: words[1] ?? '', ids: words.slice(2) };
}

/** The members that a ZADD adds, as far as they are arguments of the script: other members are marks of a library. */
function membersOf(words: readonly string[], args: readonly string[]): { id: string; score: RedisTime | undefined }[] {
  const from = words.findIndex((word, n) => n > 1 && !ZADD_OPTION.test(word));
  return words.flatMap((id, n) => {
    const isOwn = n > from && (n - from) % 2 === 1 && args.some((arg) => arg === id || id.startsWith(`${arg}_`));
    return isOwn ? [{ id, score: timeFrom(words[n - 1]) }] : [];
  });
}

const ZADD_OPTION = /^(?:[NX]X|[GL]T|CH|INCR)$/i;

/** How many permits a client allows: LIMIT is the first argument of each script with a lease. Undefined: not shown. */
function limitIn([limit]: readonly string[], library: string | undefined): number | undefined {
  return library !== undefined && WITH_LIMIT.has(library) ? countFrom(limit) : undefined;
}

/** Libraries whose clients send their limit. */
export const WITH_LIMIT: ReadonlySet<string> = new Set(['redis-semaphore', 'effect-distributed-lock']);

/** How many permits an attempt asks for. The arguments LIMIT PERMITS ID LEASE NOW can ask for several at once. */
function permitsAsked(args: readonly string[]): number {
  return args.length === 5 ? Number(args[1]) || 1 : 1;
}

/**
 * A time in seconds, milliseconds or microseconds, by its number of digits. `(9000` means up to 9000, but not including
 * it.
 */
function timeFrom(text: string | undefined): RedisTime | undefined {
  const value = Number(text?.replace(/^\(/, ''));
  if (!(value > 1e9)) return undefined;
  return redisTime(Math.round(value < 1e11 ? value * 1e6 : value < 1e14 ? value * 1e3 : value));
}
