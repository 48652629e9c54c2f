import { type RedisTime, redisTime } from '../../base/time.ts';
import type { LineSignal } from '../../signals/signal.ts';
import type { Action } from '../action.ts';
import type { PermitDeadline } from '../actions/counter-action.ts';
import {
  counterOfChannel,
  isHelperKey,
  lockOfDeadlinesKey,
  permitIdFrom,
  releasedIdFrom,
} from '../names/counter-names.ts';
import type { Family } from './family.ts';
import { publications } from './hold-in-hash.ts';
import type { ScriptRun } from './script-run.ts';
import { countFrom } from './semaphore.ts';

/**
 * The scripts of `RedissonPermitExpirableSemaphore` (3.1 to 4.7) with its permits T (`docs/protocol.md` 9). Most begin
 * by taking back expired permits:
 *
 *   zrangebyscore T 0 now [→ zrem T ids → incrby S k → publish SC]      each of ids expired
 *
 *   … get S → decrby S n → (zadd T deadline id)* …       acquired
 *   … get S → zrange T 0 0 WITHSCORES                    refused
 *   … zscore T id → zadd T deadline id                   renewed
 *   … get S, zcount T, zscore T id                       queries
 *   [zscore T id →] zrem T ids → incrby S k → publish    released          keys S, SC, T
 *   zscore T id, zrem T id                               refused: no such permit, or it has expired
 *   get S → set S n → publish                            set               keys S, SC, T
 *   get S → zcount T → incrby S d → publish              set to another number
 */
export const EXPIRABLE_SEMAPHORE: Family = {
  kind: 'expirable-semaphore',
  begins: ['zrangebyscore', 'zscore', 'zrem', 'get'],
  recognise(run) {
    const [lock = '', second = '', third = ''] = run.keys;
    if (run.keys.length !== 3) return undefined;
    const isRelease = counterOfChannel(second)?.kind === 'semaphore';
    const [channel, deadlines] = isRelease ? [second, third] : [third, second];
    if (counterOfChannel(channel)?.kind !== 'semaphore' || lockOfDeadlinesKey(deadlines) === undefined)
      return undefined;
    if (isHelperKey(lock)) return [];
    if (run.names[0] === 'get') return setting(run, lock);
    return isRelease ? releaseActions(run, lock) : acquireActions(run, lock);
  },
};

function commonFields(lock: string) {
  return { lock, kind: 'expirable-semaphore', isProven: true } as const;
}

/** Scripts that begin by taking back expired permits, but do not release: acquire, refuse, renew. */
function acquireActions(run: ScriptRun, lock: string): Action[] | undefined {
  const { lines, names, args } = run;
  if (names[0] !== 'zrangebyscore') return undefined;
  const { actions, from } = reclaimed(run, lock);
  const ownNames = names.slice(from);
  const line = lines[from];
  const added = lines.filter((_, n) => n > from && names[n] === 'zadd').flatMap(deadlinesFrom);
  const [last] = added;
  if (ownNames[0] === 'get' && ownNames[1] === 'decrby') {
    const { at, words } = lines[from + 1] ?? run.head;
    const permits = countFrom(words[2]) ?? added.length;
    actions.push({ do: 'take-permits', at, permits, deadlines: added, ...commonFields(lock) });
  } else if (ownNames[0] === 'get' && ownNames[1] === 'zrange' && line) {
    actions.push({ do: 'refuse-permits', at: line.at, permits: countFrom(args[0]) ?? 1, ...commonFields(lock) });
  } else if (ownNames[0] === 'zscore' && ownNames[1] === 'zadd' && last && line) {
    actions.push({ do: 'renew-permits', at: line.at, deadlines: added, ...commonFields(lock) });
  }
  return actions;
}

function releaseActions(run: ScriptRun, lock: string): Action[] | undefined {
  const { lines, names, args } = run;
  const asked = new Set(args.map(permitIdFrom).filter((id) => id !== undefined));
  const isOwn = (line: LineSignal) => idsOf(line).some((id) => asked.has(id));
  // Since 3.41.0 the script checks the ids before it takes back expired permits.
  const search = names.indexOf('zrangebyscore');
  const hasReclaim = search >= 0 && names.slice(0, search).every((name) => name === 'zscore');
  const hasTwoChanges = names.filter((name) => name === 'incrby').length > 1;
  const { actions, from } = hasReclaim
    ? reclaimed(run, lock, hasTwoChanges ? () => false : isOwn, search + 1)
    : { actions: [], from: 0 };
  const removal = lines.findIndex((line, n) => n >= from && names[n] === 'zrem' && isOwn(line));
  const change = lines.find((_, n) => n > removal && removal >= 0 && names[n] === 'incrby');
  const removed = lines[removal];
  if (change && removed) {
    const ids = lines.filter((line, n) => n >= from && names[n] === 'zrem' && isOwn(line)).flatMap(idsOf);
    const permits = countFrom(change.words[2]) ?? ids.length;
    return [
      ...actions,
      { do: 'give-permits', at: change.at, permits, ids, ...clientNowOf(args), ...commonFields(lock) },
      ...publications(run, lines.indexOf(change)),
    ];
  }
  const last = lines.at(-1);
  // The script stops at the first id that does not exist.
  const unknown = last && lines.length > from ? last.words.slice(2).flatMap((word) => releasedIdFrom(word) ?? []) : [];
  return [
    ...actions,
    ...unknown.map(
      (id): Action => ({ do: 'refuse-permit-release', at: last?.at ?? run.head.at, id, ...commonFields(lock) }),
    ),
  ];
}

function setting(run: ScriptRun, lock: string): Action[] {
  const { lines, names, args } = run;
  const asked = countFrom(args[0]);
  const change = lines.find((_, n) => names[n] === 'set' || names[n] === 'incrby');
  const number = countFrom(change?.words[2]);
  if (!change || asked === undefined || number === undefined) return [];
  const { at } = change;
  const isSet = change.words[0]?.toLowerCase() === 'set';
  const action: Action = isSet
    ? { do: 'set-permits', at, asked, available: number, isTotal: true, ...commonFields(lock) }
    : { do: 'set-total', at, total: asked, change: number, ...commonFields(lock) };
  return [action, ...publications(run)];
}

/** The expired permits that were taken back, and the line at which the script's own work begins. */
function reclaimed(run: ScriptRun, lock: string, isOwn: (line: LineSignal) => boolean = () => false, begin = 1) {
  const { lines, names } = run;
  const actions: Action[] = [];
  const ids: string[] = [];
  let n = begin;
  for (let line = lines[n]; line && names[n] === 'zrem' && !isOwn(line); line = lines[++n]) ids.push(...idsOf(line));
  const change = ids.length > 0 && names[n] === 'incrby' ? lines[n] : undefined;
  if (!change) return { actions, from: n };
  const permits = countFrom(change.words[2]) ?? ids.length;
  actions.push({ do: 'give-permits', at: change.at, permits, ids, isReclaim: true, ...commonFields(lock) });
  const message = lines[n + 1];
  const isMessage = names[n + 1] === 'publish' || names[n + 1] === 'spublish';
  if (isMessage && message) {
    const [, channel = '', text = ''] = message.words;
    actions.push({ do: 'publish', at: message.at, channel, message: text });
  }
  return { actions, from: n + (isMessage ? 2 : 1) };
}

function idsOf({ words }: LineSignal): string[] {
  return words.slice(2).flatMap((word) => permitIdFrom(word) ?? []);
}

/** The caller's own time, from its arguments (3.17.0 and later, in whole milliseconds). */
function clientNowOf(args: readonly string[]): { clientNow?: RedisTime } {
  const now = args.find((arg) => /^\d{13}$/.test(arg));
  return now === undefined ? {} : { clientNow: redisTime(Number(now) * 1000) };
}

function deadlinesFrom({ words }: LineSignal): PermitDeadline[] {
  const found: PermitDeadline[] = [];
  for (let n = 2; n + 1 < words.length; n += 2) {
    const id = permitIdFrom(words[n + 1] ?? '');
    if (id !== undefined) found.push({ id, expiresAt: timeFrom(words[n] ?? '') });
  }
  return found;
}

/** The lowest score in ms that means "never expires". */
const NEVER = 922_337_203_685_477;

/** A score of T as a time; null: never. */
function timeFrom(score: string): RedisTime | null {
  const ms = Number(score);
  return Number.isFinite(ms) && ms < NEVER ? redisTime(ms * 1000) : null;
}
