import { millisBetween } from '../../base/time.ts';
import type { LineSignal } from '../../signals/signal.ts';
import { scriptShaOf } from '../../signals/step.ts';
import type { Action } from '../action.ts';
import type { Evidence, TokenAction, TokenFields, Wrote } from '../actions/token-action.ts';
import { isDataWith } from '../libraries/bare-word.ts';
import { isTokenLike, type LibraryScript, libraryScriptFromHead } from '../libraries/token-libraries.ts';
import { isSignalOf } from '../names/signal-lists.ts';
import type { Lease } from '../types/lease.ts';
import { hasWord } from './commands/command-row.ts';
import { expiryOf } from './commands/ends.ts';
import type { Family } from './family.ts';
import { isBeside, isPublish, type ScriptRun } from './script-run.ts';
import { leaseOf } from './set-nx.ts';
import { slotTaken } from './tokens/free-slot.ts';
import { ownLinesOf } from './tokens/own-lines.ts';

/**
 * Locks that are one string key with their holder's token as the value. Most libraries other than Redisson use them.
 *
 *   exists k → set k T PX            acquired       exists k          refused
 *   exists k → get k → set k T PX    renewed        exists k → get k  refused: another token (redlock-rb)
 *   get k → set k T PX               acquired, or renewed by the holder       set k T → pexpire k, setex k s T: the same
 *   set k T NX PX [→ getrange]       acquired       [refused]         msetnx, pexpire: the same for several keys
 *   setnx k T [→ pexpire k]          acquired, or refused             setnx k T → get k → pexpire k: acquired again
 *   get k → del|unlink k             released       get k             no change: another token, or no key
 *   get k → pexpire k 0              released
 *   get k → set k T NX PX            another token or no key, then set if there is no key: no line shows which
 *   get k [→ pttl k] → pexpire k     renewed        get k → pttl k    a query
 *   set k T NX PX → get k            an attempt (rueidislock): no line shows its outcome
 *   pttl k [→ get k [→ pexpire k]]   a renewal (redlock-universal), unless too little of the lease is left
 */
export const TOKEN_LOCK: Family = {
  kind: 'token-lock',
  begins: ['get', 'mget', 'exists', 'set', 'setnx', 'msetnx', 'unlink', 'pttl'],
  recognise: (run) => recognise(run) ?? beside(run),
};

/**
 * What an unknown script that also does other things did to its lock. Such a script does not show that the key is a
 * lock.
 */
function beside(run: ScriptRun): Action[] | undefined {
  const own = libraryScriptFromHead(run.head) ? undefined : ownLinesOf(run);
  const actions = own && recognise(own);
  if (!actions || actions.length === 0) return undefined;
  return actions.map((action) => (isOfToken(action) ? { ...action, evidence: 'shape', isBeside: true } : action));
}

function isOfToken(action: Action): action is TokenDid {
  return 'evidence' in action && action.do !== 'token-try';
}

/**
 * How many arguments a script may have: a token, its lease and one more word, or a token for each key and their lease.
 */
function mostArguments(keys: readonly string[]): number {
  return Math.max(3, keys.length + 1);
}

/**
 * Whether an application's own script has a separate token for each of several keys, in their order, and reads each
 * key.
 */
function hasTokenForEachKey({ keys, args }: ScriptRun, uses: ReadonlyMap<string, KeyUse>): boolean {
  const isOwn = (key: string, n: number) => uses.get(key)?.asked !== undefined && isTokenLike(args[n] ?? '');
  return keys.length > 1 && keys.every(isOwn);
}

type TokenDid = Extract<Action, { do: TokenAction['do'] }>;

/** The commands that a script of a token lock may run. */
const ALLOWED = new Set([
  ...['get', 'mget', 'exists', 'set', 'setex', 'psetex', 'setnx', 'msetnx', 'mset', 'getrange'],
  ...['del', 'unlink', 'pexpire', 'expire', 'pexpireat', 'pttl', 'ttl', 'publish', 'spublish'],
]);

/** Commands with which a script reads other keys first, for example to find whether a lock has readers. */
const ASKS_BESIDE: ReadonlySet<string> = new Set(['scard', 'sismember', 'zcard', 'zscore', 'llen', 'hlen', 'hexists']);

/**
 * Commands by which a script counts beside its lock, for example fencing tokens, or how often its holder acquired it.
 */
const COUNTS_BESIDE: ReadonlySet<string | undefined> = new Set(['incr', 'incrby', 'decr', 'decrby']);

/** What a script did to one of its keys. */
type KeyUse = Partial<
  Record<'asked' | 'compared' | 'set' | 'setNx' | 'expired' | 'deleted' | 'timed' | 'ranged', LineSignal>
>;

function recognise(run: ScriptRun): Action[] | undefined {
  const { keys, lines, names, shape } = run;
  const script = libraryScriptFromHead(run.head);
  const args = script ? run.args : tokenFirst(run);
  const [token = ''] = args;
  if (args.length === 0 || (args.length > mostArguments(keys) && !script?.hasTokens) || token === '') return undefined;
  if (!script && (isSizeComparison(args) || (names[0] === 'pttl' && !OWN_RENEWAL.test(shape)))) return undefined;
  if (script?.operation === 'force') return forced(run, script);
  const slot = script ? undefined : slotTaken(run);
  if (slot) return slot;
  const uses = usesOf(run);
  if (!uses) return undefined;
  if (names[0] === 'unlink') return script ? unlinked(run, script) : undefined;
  const evidence: Evidence = script ? 'sure' : 'shape';
  const isNumber = !script && NUMBER.test(token) ? ({ isNumber: true } as const) : undefined;
  const isLikely = script !== undefined || isTokenLike(token);
  const hasTokens = script ? script.hasTokens : hasTokenForEachKey(run, uses);
  const tokens = hasTokens ? keys.length : 1;
  const last = lines.at(-1);
  const actions: TokenDid[] = [];
  const others: Action[] = [];
  for (const [n, key] of keys.entries()) {
    const use = uses.get(key);
    const tokenOfKey = hasTokens ? (args[n] ?? '') : token;
    const common = { lock: key, token: tokenOfKey, library: script?.library, evidence, ...isNumber };
    if (use?.deleted && !use.compared && !script && n > 0) {
      others.push({ at: use.deleted.at, do: 'delete', key, command: 'DEL' });
      continue;
    }
    const outcome =
      use && (key !== keys[1] || !isWithSignal(keys)) ? didTo(use, run, script, common, tokens) : undefined;
    if (outcome === undefined) continue;
    if (outcome === 'unknown') return undefined;
    // Only a lock is compared and deleted, whatever its token looks like, so a failed comparison counts too. Other
    // scripts may be a cache.
    if (!isLikely && outcome.do !== 'token-drop' && outcome.do !== 'token-miss') return undefined;
    actions.push(outcome);
  }
  // A refused attempt on several keys ends at the first key that holds another token.
  const isRefused = actions.every((action) => action.do === 'token-refuse');
  const reported = isRefused && last ? actions.filter(({ lock }) => lock === last.words[1]) : actions;
  return [...reported, ...others, ...wakes(run)];
}

/**
 * The arguments of an application's own script, with the token first. The first two are exchanged if a line sets the
 * second one as the value, or the first one as the lease.
 */
function tokenFirst({ args, lines, names }: ScriptRun): readonly string[] {
  const [lease = '', token = '', ...others] = args;
  if (!NUMBER.test(lease) || !isTokenLike(token)) return args;
  const isShown = lines.some(({ words }, n) => (EXPIRES.has(names[n]) && words[2] === lease) || words[2] === token);
  return isShown || lines.some(({ words }) => words[3] === token) ? [token, lease, ...others] : args;
}

const EXPIRES: ReadonlySet<string | undefined> = new Set(['expire', 'pexpire']);

/**
 * A script that begins with PTTL renews a lock only if it then reads the token and sets the lease. Otherwise it may be
 * a cache.
 */
const OWN_RENEWAL = /^pttl get p?expire(?: s?publish)?$/;

const COMPARISONS: ReadonlySet<string> = new Set(['<', '<=', '==', '>=', '>']);

/** Whether a script compares sizes, as `RAtomicLong.compareAndDelete(15, "<")` does. */
function isSizeComparison([, how = '']: readonly string[]): boolean {
  return COMPARISONS.has(how);
}

/** A number may be a token, for example a time or the id of a process: only an attempt that sets it shows that. */
const NUMBER = /^-?\d{1,15}$/;

/** The third argument of redlock-rb's script if it may only renew. It is then also refused if the key is missing. */
const ONLY_RENEW = 'no';

/** Whether a script also has the list with which its library wakes a waiter: only a release uses it. */
function isWithSignal([lock = '', signal, ...others]: readonly string[]): boolean {
  return others.length === 0 && isSignalOf(lock, signal);
}

/**
 * The list into which a release puts an item for a waiter: a library's list, or another key of the script if the item
 * is the token or 1. Any other item is a job for a queue.
 */
function signalOf({ keys, args, lines, names }: ScriptRun): string | undefined {
  if (isWithSignal(keys)) return keys[1];
  const [, list, item] = lines.find((_, n) => isPush(names[n]))?.words ?? [];
  // a client that waits may put its token into a queue
  const isRelease = names.includes('del') || names.includes('unlink');
  const isOther = isRelease && list !== undefined && list !== keys[0] && keys.includes(list);
  return isOther && (item === args[0] || item === '1') ? list : undefined;
}

function isPush(name: string | undefined): boolean {
  return name === 'lpush' || name === 'rpush';
}

/**
 * What the script did to the lock of one key. `unknown`: this is not a script of a lock. Undefined: nothing to report.
 */
function didTo(
  use: KeyUse,
  { head, keys, args, names, lines }: ScriptRun,
  script: LibraryScript | undefined,
  common: TokenFields,
  tokens: number,
): TokenDid | 'unknown' | undefined {
  const { asked, compared, set, setNx, expired, deleted, timed, ranged } = use;
  const first = names[0];
  const [begin] = lines;
  const at = (lines.at(-1) ?? begin)?.at;
  if (at === undefined) return undefined;
  const ownScript = script ? undefined : { script: scriptShaOf(head) };
  const isTimed = args.slice(tokens).some((arg) => NUMBER.test(arg)) ? ({ isTimed: true } as const) : undefined;
  const lease = (set && leaseOf(set)) ?? (expired ? leaseOfExpiry(expired) : null);
  // EXPIRE with 0 or less deletes the key
  const ended = deleted ?? (expired && compared && !set && lease && lease.ms <= 0 ? expired : undefined);
  if (ended) {
    const isUncompared = !script && !compared && !set && !setNx ? ({ isUncompared: true } as const) : undefined;
    return { do: 'token-drop', at: ended.at, ...common, evidence: 'sure', ...ownScript, ...isUncompared };
  }
  if (first === 'exists') {
    // After a comparison, the script sets the key only if the key held the token.
    if (set) {
      const action = compared ? 'token-renew' : 'token-take';
      const wrote = wroteBy(set, common.token);
      const script = action === 'token-take' ? ownScript : undefined;
      return wrote ? { do: action, at: set.at, ...common, lease, ...wrote, ...script } : 'unknown';
    }
    if (args.length < 2)
      return compared && { do: 'token-miss', at, ...common, as: script?.operation ?? 'release', ...ownScript };
    if (!compared) return asked && { do: 'token-refuse', at, ...common };
    const as = args[2] === ONLY_RENEW ? 'renew' : script?.operation;
    return { do: 'token-miss', at, ...common, as, ...ownScript, ...isTimed };
  }
  if (setNx && !script && first !== 'msetnx' && setNx.words[2] !== common.token) {
    const [, , value = ''] = setNx.words;
    if (!isDataWith(value, common.token ?? '') || set || expired || ranged) return 'unknown';
    const tried = { ...common, token: value, lease: leaseOf(setNx) };
    return { do: 'token-try', at: setNx.at, ...tried, ifKeyIs: 'free', isDelete: false };
  }
  if (setNx) {
    const lease = expired ? leaseOfExpiry(expired) : leaseOf(set ?? setNx);
    const changed = set ?? expired;
    if (changed && !script && first !== 'msetnx' && !ranged) {
      // If the comparison came before the change, the script found its own token.
      const isAgain = compared !== undefined && lines.indexOf(compared) < lines.indexOf(changed);
      return { do: isAgain ? 'token-again' : 'token-take', at: changed.at, ...common, lease };
    }
    if (set) return { do: 'token-again', at: set.at, ...common, lease, ...prefixOf(ranged) };
    if (first === 'msetnx' && !names.includes('pexpire')) {
      return common.lock === lines[0]?.words[1] ? { do: 'token-refuse', at, ...common, among: keys } : undefined;
    }
    if (script?.library === ALWAYS_READS_AFTER)
      return { do: 'token-try', at: setNx.at, ...common, ifKeyIs: 'free', lease, isDelete: false };
    if (script?.library === SETS_LEASE_LAST && !expired && args[1] !== '0')
      return { do: 'token-refuse', at, ...common };
    // After SET NX, an application's own script may read the value for every caller, not only for refused ones.
    if (ranged || (asked && first === 'set' && script)) return { do: 'token-refuse', at, ...common };
    if (expired || (script && script.library !== SETS_LEASE_LAST))
      return { do: 'token-take', at: setNx.at, ...common, lease };
    return { do: 'token-try', at: setNx.at, ...common, ifKeyIs: 'free', lease, isDelete: false };
  }
  if (set) {
    const wrote = wroteBy(set, common.token);
    if (!wrote) return 'unknown';
    if (isNx(set)) {
      const as = script?.operation === 'renew' ? 'renew' : undefined;
      return { do: 'token-set-if-free', at: set.at, ...common, lease: leaseOf(set), as, ...ownScript };
    }
    const isRenewal = (script?.operation === 'renew' && !script.revives) || hasWord(set.words, 'XX');
    const action = isRenewal ? 'token-renew' : 'token-keep';
    const mayRenew = script?.operation === 'acquire' ? undefined : ({ mayRenew: true } as const);
    return {
      do: action,
      at: set.at,
      ...common,
      lease,
      ...wrote,
      ...(action === 'token-keep' && { ...ownScript, ...mayRenew }),
    };
  }
  if (expired) {
    const action = script?.operation === 'acquire' ? 'token-again' : 'token-renew';
    return { do: action, at: expired.at, ...common, lease };
  }
  // A refused attempt may return how long the lock is still held.
  const mayAsk = timed && first !== 'pttl';
  const isQuery = (mayAsk && (script || !isTimed)) || script?.operation === 'query';
  if (!asked || isQuery || first === 'set') return undefined;
  const as = script?.operation ?? (args.length === tokens || isWithSignal(keys) ? 'release' : undefined);
  const among = keys.length > 1 ? { among: keys } : undefined;
  const tidiesUp = script?.tidiesUp ? ({ tidiesUp: true } as const) : undefined;
  const onlyTries = mayAsk ? ({ onlyTries: true } as const) : undefined;
  return { do: 'token-miss', at, ...common, as, ...among, ...ownScript, ...isTimed, ...tidiesUp, ...onlyTries };
}

/** What a line wrote: the token alone, or data that contains it; undefined: anything else. */
function wroteBy({ words }: LineSignal, token = ''): Wrote | undefined {
  const [, , value = ''] = words;
  if (value !== token && !isDataWith(value, token)) return undefined;
  const kept = hasWord(words, 'KEEPTTL') ? ({ keepsLease: true } as const) : undefined;
  return value === token ? { ...kept } : { value, ...kept };
}

/**
 * The library whose attempt is `setnx K T` and, only if that set the key, `pexpire K LEASE`. A LEASE of 0 means no end.
 */
const SETS_LEASE_LAST = 'walrus';

/**
 * The library whose attempt always reads the key afterwards, so that Redis reports changes of the key to its client.
 */
const ALWAYS_READS_AFTER = 'rueidislock';

/** An attempt that also succeeds while another token holds the lock. */
function forced({ keys, args, lines }: ScriptRun, { library }: LibraryScript): Action[] | undefined {
  const [lock = ''] = keys;
  const [line] = lines;
  if (!line) return undefined;
  const common = { at: line.at, lock, token: args[0], library, evidence: 'sure' } as const;
  return [
    { at: line.at, do: 'delete', key: lock, command: 'SET' },
    { do: 'token-take', ...common, lease: leaseOf(line) },
  ];
}

/** What the script did to each key; undefined if it ran a command that token locks do not use. */
function usesOf(run: ScriptRun): Map<string, KeyUse> | undefined {
  const { keys, args, lines, names } = run;
  const uses = new Map<string, KeyUse>(keys.map((key) => [key, {}]));
  const signal = signalOf(run);
  const counters = lines.flatMap((line, n) => (isCount(line, names[n], run) ? line.words[1] : []));
  for (let n = 0; n < lines.length; n++) {
    const [line, name] = [lines[n], names[n]];
    if (signal !== undefined && line?.words[1] === signal) continue;
    if (counters.includes(line?.words[1])) continue;
    if (name !== undefined && ASKS_BESIDE.has(name)) continue;
    if (line && isOfHolder(line, keys, args)) continue;
    if (!line || name === undefined || !ALLOWED.has(name)) return undefined;
    if (isPublish(name)) continue;
    for (const key of keysOfLine(line, name)) {
      const use = uses.get(key);
      if (!use) return undefined;
      if (n === 0 && name === 'set' && !isNx(line)) return undefined;
      if (name === 'get' || name === 'mget') use.compared = line;
      if (name === 'get' || name === 'mget' || name === 'exists') use.asked = line;
      else if (name === 'setnx' || name === 'msetnx' || (name === 'set' && n === 0)) use.setNx = line;
      else if (name === 'set' || name === 'mset') use.set = line;
      else if (name === 'setex' || name === 'psetex') use.set = asSet(line, name);
      else if (name === 'pexpire' || name === 'expire' || name === 'pexpireat') use.expired = line;
      else if (name === 'del' || name === 'unlink') use.deleted = line;
      else if (name === 'getrange') use.ranged = line;
      else use.timed = line;
    }
  }
  return uses;
}

/** Whether a line's key belongs to the holder alone, for example a count of its acquisitions. */
function isOfHolder({ words: [, key = ''] }: LineSignal, keys: readonly string[], args: readonly string[]): boolean {
  return !keys.includes(key) && isBeside(key, args);
}

function keysOfLine({ words }: LineSignal, name: string): string[] {
  if (name === 'mget' || name === 'del' || name === 'unlink' || name === 'exists') return words.slice(1);
  if (name === 'mset' || name === 'msetnx') return words.filter((_, n) => n % 2 === 1);
  return words.slice(1, 2);
}

/** Whether a line counts in a key other than the lock's, or writes a first count there that is not an argument. */
function isCount(
  { words: [, key, value = ''] }: LineSignal,
  name: string | undefined,
  { keys, args }: ScriptRun,
): boolean {
  if (key === keys[0]) return false;
  return COUNTS_BESIDE.has(name) || (name === 'set' && NUMBER.test(value) && !args.includes(value));
}

/** SETEX and PSETEX as the SET that they are short for. */
function asSet(line: LineSignal, name: 'setex' | 'psetex'): LineSignal {
  const [, key = '', end = '', value = ''] = line.words;
  return { ...line, words: ['SET', key, value, name === 'setex' ? 'EX' : 'PX', end] };
}

function isNx({ words }: LineSignal): boolean {
  return words.some((word, n) => n > 2 && word.toUpperCase() === 'NX');
}

/** redislock compares only the token, not the metadata after it: `getrange k 0 21`. */
function prefixOf(ranged: LineSignal | undefined): { prefix: number } | undefined {
  const last = Number(ranged?.words[3]);
  return Number.isInteger(last) && last >= 0 ? { prefix: last + 1 } : undefined;
}

function leaseOfExpiry({ at, words }: LineSignal): Lease | null {
  const end = expiryOf(words[0]?.toUpperCase() ?? '', at, words[2] ?? '');
  return end === undefined ? null : { setAt: at, ms: millisBetween(at, end) };
}

/** Spring Integration 5.5: the caller has already compared the token, in a separate command. */
function unlinked(run: ScriptRun, { library }: LibraryScript): Action[] | undefined {
  const [lock] = run.keys;
  const [line] = run.lines;
  if (lock === undefined || !line) return undefined;
  return [{ do: 'token-drop', at: line.at, lock, token: undefined, library, evidence: 'sure' }, ...wakes(run)];
}

/** The wake-ups of a script: messages that it published, and items that it put into the list of its waiters. */
function wakes(run: ScriptRun): Action[] {
  const { keys, lines, names } = run;
  const [lock = ''] = keys;
  const signal = signalOf(run);
  return lines.flatMap((line, n): Action[] => {
    const isSignal = isPush(names[n]) && line.words[1] === signal;
    if (!isPublish(names[n]) && !isSignal) return [];
    return [{ do: 'token-wake', at: line.at, lock, channel: line.words[1] ?? '', message: line.words[2] ?? '' }];
  });
}
