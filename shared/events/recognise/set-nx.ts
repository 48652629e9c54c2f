import { millisBetween, redisTime } from '../../base/time.ts';
import type { LineSignal } from '../../signals/signal.ts';
import type { Action } from '../action.ts';
import { endInValue } from '../libraries/end-in-value.ts';
import { isNameOfForm } from '../libraries/token-found.ts';
import { libraryOfValue } from '../libraries/token-libraries.ts';
import type { Lease } from '../types/lease.ts';

/**
 * What a plain command does to a token lock; undefined if it has none of these forms. MONITOR does not show its
 * outcome. Only a key event, or what the key held before, shows it.
 *
 *   SET k T NX [PX ms|EX s]      SETNX k T        an attempt
 *   MSETNX k T l U               MSETEX 2 k T l U NX PX ms     an attempt on all of these keys, or on none
 *   SET k T PX ms XX             MSETEX 1 k T XX PX ms         set again, with any holder
 *   SET k T PX ms IFEQ T                          a renewal by comparison
 *   SET k T IFEQ U                                a hand-over: another value than the compared one
 *   DELEX k IFEQ T               DELIFEQ k T      a release by comparison
 */
export function triesFrom(line: LineSignal): readonly Action[] | undefined {
  const [name = '', lock = '', token = ''] = line.words;
  switch (name.toUpperCase()) {
    case 'SETNX':
      return token === '' ? emptyLock(line, lock) : [attempt(line, lock, token)];
    case 'MSETNX':
      return attempts(line, line.words.slice(1));
    case 'MSETEX':
      return manySet(line);
    case 'DELEX': {
      const [, , word = '', compared = ''] = line.words;
      return word.toUpperCase() === 'IFEQ' ? [comparedDelete(line, compared)] : undefined;
    }
    case 'DELIFEQ':
      return [comparedDelete(line, token)];
    default:
      return set(line, lock, token);
  }
}

function set(line: LineSignal, lock: string, token: string): readonly Action[] | undefined {
  const { at } = line;
  const options = line.words.slice(3).map((word) => word.toUpperCase());
  const isTry = options.some((option) => option === 'NX' || option === 'XX' || option === 'IFEQ');
  if (!isTry) return undefined;
  if (hasBadEnd(line)) return [];
  if (options.includes('NX')) return token === '' ? emptyLock(line, lock) : [attempt(line, lock, token)];
  const kept = options.includes('KEEPTTL') ? ({ keepsLease: true } as const) : undefined;
  const common = { do: 'token-try', at, lock, token, lease: leaseOf(line), ...kept, isDelete: false } as const;
  const compared = line.words[options.indexOf('IFEQ') + 4];
  if (options.includes('IFEQ')) return [{ ...common, ...COMPARED, compared }];
  return [{ ...common, ...libraryAndEvidence(lock, token), ifKeyIs: 'any' }];
}

/** An attempt whose value names no holder. */
function emptyLock({ at }: LineSignal, key: string): readonly Action[] {
  return isNameOfForm(key) ? [{ at, do: 'strange-lock', key, form: 'empty' }] : [];
}

/** MSETEX n k T … [NX|XX] [PX ms …|KEEPTTL] */
function manySet(line: LineSignal): readonly Action[] | undefined {
  const { at, words } = line;
  const optionsFrom = 2 + 2 * Number(words[1]);
  const options = words.slice(optionsFrom).map((word) => word.toUpperCase());
  if (!options.includes('NX') && !options.includes('XX')) return undefined;
  const pairs = words.slice(2, optionsFrom);
  if (options.includes('NX')) return attempts(line, pairs);
  const kept = options.includes('KEEPTTL') ? ({ keepsLease: true } as const) : undefined;
  const common = { do: 'token-try', at, lease: leaseOf(line), ...kept, isDelete: false, ifKeyIs: 'any' } as const;
  return pairsIn(pairs).map(({ lock, token }) => ({ ...common, lock, token, ...libraryAndEvidence(lock, token) }));
}

/**
 * Attempts on several keys at once: if one of them exists, all are refused. A value that is a time is the end of the
 * other keys' leases.
 */
function attempts(line: LineSignal, words: readonly string[]): readonly Action[] {
  const all = pairsIn(words);
  const tokens = all.filter(({ token }) => endInValue(token, line.at) === undefined);
  const pairs = tokens.length > 0 ? tokens : all;
  const among = pairs.length > 1 ? { among: pairs.map(({ lock }) => lock) } : undefined;
  return pairs.map(({ lock, token }) => ({ ...attempt(line, lock, token), ...among }));
}

/** Keys with their values. A recording hides those that are not locks. */
function pairsIn(words: readonly string[]): { lock: string; token: string }[] {
  const pairs = words.flatMap((lock, n) => (n % 2 === 0 ? [{ lock, token: words[n + 1] ?? '' }] : []));
  return pairs.filter(({ lock }) => lock !== '…');
}

function comparedDelete({ at, words }: LineSignal, compared: string): Action {
  return {
    do: 'token-try',
    at,
    lock: words[1] ?? '',
    token: compared,
    compared,
    ...COMPARED,
    lease: null,
    isDelete: true,
  };
}

/** An application may compare any value, so this shows a lock only together with other evidence. */
const COMPARED = { ifKeyIs: 'own', library: undefined, evidence: 'sure' } as const;

function attempt(line: LineSignal, lock: string, token: string): Action {
  const { library, evidence } = libraryAndEvidence(lock, token);
  const lease = leaseOf(line);
  return { do: 'token-try', at: line.at, lock, token, library, evidence, ifKeyIs: 'free', lease, isDelete: false };
}

function libraryAndEvidence(lock: string, token: string) {
  const found = libraryOfValue(lock, token);
  return { library: found?.library, evidence: found?.isSure ? ('sure' as const) : ('shape' as const) };
}

/** The lease from the arguments of SET; null if they contain none. */
export function leaseOf({ at, words }: LineSignal): Lease | null {
  for (let n = 3; n + 1 < words.length; n++) {
    const unit = ENDS[words[n]?.toUpperCase() ?? ''];
    const amount = words[n + 1] ?? '';
    if (unit === undefined || !isEnd(amount)) continue;
    const ms = Number(amount) * unit.ms;
    return { setAt: at, ms: unit.isInstant ? millisBetween(at, redisTime(ms * 1000)) : ms };
  }
  return null;
}

/** The options of SET that set an end: seconds or milliseconds, from now on or since the epoch. */
const ENDS: Readonly<Record<string, { readonly ms: number; readonly isInstant: boolean } | undefined>> = {
  EX: { ms: 1000, isInstant: false },
  PX: { ms: 1, isInstant: false },
  EXAT: { ms: 1000, isInstant: true },
  PXAT: { ms: 1, isInstant: true },
};

const isEnd = (word: string) => /^[1-9]\d{0,18}$/.test(word);

/** Whether Redis rejects a SET because its end is not a positive integer. A recording may hide the number. */
function hasBadEnd({ words }: LineSignal): boolean {
  const [option, amount] = [words.slice(3), words.slice(4)];
  return option.some((word, n) => {
    const isKnown = ENDS[word.toUpperCase()] !== undefined && amount[n] !== '…';
    return isKnown && !isEnd(amount[n] ?? '');
  });
}

const PLAIN_OPTIONS = /^(?:E|P)X(?:AT)?$|^(?:GET|KEEPTTL)$/i;

/** How a SET without NX, XX and IFEQ may fail; undefined: it sets its value, whatever the key holds. */
export function setMayFail(line: LineSignal): 'always' | 'if-not-string' | undefined {
  const options = line.words.slice(3);
  const isOption = (word: string, n: number) =>
    word === '…' ||
    PLAIN_OPTIONS.test(word) ||
    (isEnd(word) && ENDS[options[n - 1]?.toUpperCase() ?? ''] !== undefined);
  if (!options.every(isOption)) return 'always';
  return options.some((word) => word.toUpperCase() === 'GET') ? 'if-not-string' : undefined;
}
