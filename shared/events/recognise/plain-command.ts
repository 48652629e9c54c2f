import { plusMillis, type RedisTime, redisTime } from '../../base/time.ts';
import type { LineSignal } from '../../signals/signal.ts';
import type { Action } from '../action.ts';
import { FAMILIES } from './families.ts';
import type { Family } from './family.ts';
import { redisMillis } from './redis-millis.ts';
import { renewalsNotRun } from './renewal-not-run.ts';
import { leaseOf, setMayFail } from './set-nx.ts';
import { latchDelete } from './unlock-latch.ts';
import { versionOfAnswer } from './version-evidence.ts';

const KNOWN = new Set([
  ...['DEL', 'UNLINK', 'GETDEL', 'DELEX', 'HDEL', 'RENAME', 'RENAMENX', 'MOVE'],
  ...['SET', 'SETEX', 'PSETEX', 'GETSET', 'MSET', 'COPY', 'RESTORE', 'RESTORE-ASKING', 'PERSIST'],
  ...['GETEX', 'APPEND', 'SETRANGE', 'INCRBY', 'DECRBY'],
  ...['PEXPIRE', 'EXPIRE', 'PEXPIREAT', 'EXPIREAT', 'FLUSHDB', 'FLUSHALL', 'SWAPDB', 'PUBLISH', 'SPUBLISH'],
  ...['SUBSCRIBE', 'SSUBSCRIBE', 'UNSUBSCRIBE', 'SUNSUBSCRIBE', 'RESET', 'QUIT', 'CLIENT', 'HELLO'],
  ...['WAIT', 'WAITAOF', 'INFO', 'EVALSHA'],
]);
const NOTHING: readonly Action[] = [];

/** Cache of the last line: it is interpreted, recorded and redacted, but recognised only once. */
let lastLine: LineSignal | undefined;
let lastActions = NOTHING;

/**
 * What a command outside a known lock script did to keys and channels: an operator's DEL, a user's EXPIRE, a
 * subscription. It also works for the lines of an unknown script, since they are commands like any other.
 */
export function recogniseCommand(line: LineSignal): readonly Action[] {
  if (line === lastLine) return lastActions;
  lastLine = line;
  lastActions = actionsOf(line);
  return lastActions;
}

function actionsOf(line: LineSignal): readonly Action[] {
  const command = upperCase(line.words[0] ?? '');
  for (const family of familiesOf(command)) {
    const actions = family.recogniseCommand?.(line);
    if (actions) return actions;
  }
  if (!KNOWN.has(command)) return NOTHING;
  const args = line.words.slice(1);
  const key = args[0] ?? '';
  const at = line.at;
  switch (command) {
    case 'DEL':
    case 'UNLINK':
      return args.length === 1 ? deletion(key, at, command) : args.flatMap((each) => deletion(each, at, command));
    case 'RENAME': {
      const [, target] = args;
      if (target === undefined || target === key) return NOTHING;
      return [
        { at, do: 'delete', key, command },
        { at, do: 'delete', key: target, command, mayFail: 'always' }, // unless there is no key to rename
        { at, do: 'arrive', key: target, here: line.db },
      ];
    }
    case 'SET': {
      const lease = leaseOf(line);
      const ends = lease ? { valueEnds: plusMillis(at, lease.ms) } : undefined;
      const kept = hasWord(args.slice(2), 'KEEPTTL') ? ({ keepsEnd: true } as const) : undefined;
      const mayFail = setMayFail(line);
      return [{ at, do: 'delete', key, command, value: args[1], ...ends, ...kept, ...(mayFail && { mayFail }) }];
    }
    case 'GETSET':
      return [{ at, do: 'delete', key, command, value: args[1], mayFail: 'if-not-string' }];
    case 'MSET':
      return args.flatMap((each, n) =>
        n % 2 === 0 ? [{ at, do: 'delete', key: each, command, value: args[n + 1] } as const] : [],
      );
    case 'COPY':
      return copy(args, line);
    case 'GETEX':
      return getAndSetExpiry(args, at);
    case 'APPEND':
    case 'SETRANGE':
    case 'INCRBY':
    case 'DECRBY':
      return [{ at, do: 'may-change', key }];
    case 'RESTORE':
      return [
        ...(hasWord(args.slice(3), 'REPLACE') ? [{ at, do: 'delete', key, command, mayFail: 'always' } as const] : []),
        { at, do: 'arrive', key, here: line.db },
      ];
    case 'RESTORE-ASKING':
      return [{ at, do: 'arrive', key }];
    case 'MOVE': {
      const here = databaseFrom(args[1]);
      if (here === line.db) return NOTHING;
      return [
        { at, do: 'delete', key, command },
        ...(here === undefined ? [] : [{ at, do: 'arrive', key, here } as const]),
      ];
    }
    case 'RENAMENX': {
      const [, target] = args;
      if (target === undefined || target === key) return NOTHING;
      return [
        { at, do: 'delete', key, command, mayFail: 'always' },
        { at, do: 'arrive', key: target, here: line.db },
      ];
    }
    case 'GETDEL':
    case 'DELEX':
      return [{ at, do: 'delete', key, command, mayFail: 'always' }];
    case 'SETEX':
    case 'PSETEX': {
      const ms = redisMillis(args[1] ?? '', command === 'SETEX' ? 1000 : 1, at) ?? 0;
      const ends = ms > 0 ? { valueEnds: plusMillis(at, ms) } : undefined;
      return [{ at, do: 'delete', key, command, value: args[2], ...ends, ...(!ends && { mayFail: 'always' }) }];
    }
    case 'HDEL':
      return [{ at, do: 'delete', key, command, holders: args.slice(1) }];
    case 'PEXPIRE':
    case 'EXPIRE':
    case 'PEXPIREAT':
    case 'EXPIREAT': {
      const expiresAt = expiryOf(command, at, args[1] ?? '');
      const conditions = args.slice(2).map((word) => word.toUpperCase());
      if (expiresAt === undefined || !areConditions(conditions)) return NOTHING;
      return [{ at, do: 'set-expiry', key, command, expiresAt, conditions }];
    }
    case 'EVALSHA':
      return renewalsNotRun(line);
    case 'PERSIST':
      return [{ at, do: 'set-expiry', key, command, expiresAt: null, conditions: [] }];
    case 'FLUSHDB':
    case 'FLUSHALL':
      if (args.length > 1 || (args.length === 1 && !FLUSH_OPTION.test(key))) return NOTHING;
      return [{ at, do: 'flush', allDatabases: command === 'FLUSHALL', command }];
    case 'SWAPDB': {
      const [one, other] = [Number(args[0]), Number(args[1])];
      const isSwap = Number.isInteger(one) && Number.isInteger(other) && one !== other;
      return isSwap ? [{ at, do: 'swap', databases: [one, other], command }] : [];
    }
    case 'SUBSCRIBE':
    case 'SSUBSCRIBE':
      return [{ at, do: 'subscribe', channels: args }];
    case 'UNSUBSCRIBE':
    case 'SUNSUBSCRIBE':
      return args.length > 0 ? [{ at, do: 'unsubscribe', channels: args }] : [{ at, do: 'unsubscribe-all' }];
    case 'RESET':
    case 'QUIT':
      return [{ at, do: 'unsubscribe-all' }];
    case 'PUBLISH':
    case 'SPUBLISH':
      return [{ at, do: 'publish', channel: key, message: args[1] ?? '' }];
    case 'WAIT':
      return [{ at, do: 'await-replicas', command, replicas: Number(args[0]), limitMs: Number(args[1]) }];
    case 'WAITAOF':
      return [{ at, do: 'await-replicas', command, replicas: Number(args[1]), limitMs: Number(args[2]) }];
    case 'INFO':
      return [{ at, do: 'ask-server', ...(args.length === 1 && { section: key.toLowerCase() }) }];
    case 'CLIENT':
      return key.toUpperCase() === 'SETNAME' ? [{ at, do: 'name-connection', name: args[1] ?? '' }] : [];
    case 'HELLO': {
      const found = args.findIndex((word) => word.toUpperCase() === 'SETNAME');
      return found >= 0 ? [{ at, do: 'name-connection', name: args[found + 1] ?? '' }] : [];
    }
    default:
      return [];
  }
}

/** Options of GETEX. */
export const SETS_END = /^[EP]X(?:AT)?$/i;
export const REMOVES_END = /^PERSIST$/i;

/** GETEX sets or removes the end of a string. Redis rejects several options, ends that are not positive, and other types. */
function getAndSetExpiry([key = '', option = '', end, ...more]: readonly string[], at: RedisTime): readonly Action[] {
  const expiresAt = endFromGetex(option, end, at);
  if (expiresAt === undefined || more.length > 0) return NOTHING;
  return [{ at, do: 'set-expiry', key, command: 'GETEX', expiresAt, conditions: [], isOfString: true }];
}

/** Null: no end. Undefined: the end stays as it is. */
function endFromGetex(option: string, end: string | undefined, at: RedisTime): RedisTime | null | undefined {
  if (end === undefined) return REMOVES_END.test(option) ? null : undefined;
  return SETS_END.test(option) && Number(end) > 0 ? expiryOf(option.toUpperCase(), at, end) : undefined;
}

/** COPY writes its target in its own database or the one that it names, and replaces a lock there only with REPLACE. */
function copy([key, target, ...options]: readonly string[], { at, db }: LineSignal): readonly Action[] {
  const named = options.findLastIndex((word) => word.toUpperCase() === 'DB');
  const here = named < 0 ? db : databaseFrom(options[named + 1]);
  if (target === undefined || here === undefined || (target === key && here === db)) return NOTHING;
  const isReplaced = hasWord(options, 'REPLACE') && here === db;
  return [
    ...(isReplaced ? [{ at, do: 'delete', key: target, command: 'COPY', mayFail: 'always' } as const] : []),
    { at, do: 'arrive', key: target, here },
  ];
}

function databaseFrom(word: string | undefined): number | undefined {
  return word !== undefined && /^\d{1,9}$/.test(word) ? Number(word) : undefined;
}

function deletion(key: string, at: RedisTime, command: string): Action[] {
  const answer = latchDelete(key, at);
  return answer ? [...versionOfAnswer(answer), answer] : [{ at, do: 'delete', key, command }];
}

const MOST_SPELLINGS = 500;
const spellings = new Map<string, string>();

/** A command in upper case, cached by its spelling. */
function upperCase(command: string): string {
  const known = spellings.get(command);
  if (known !== undefined) return known;
  const upper = command.toUpperCase();
  if (spellings.size < MOST_SPELLINGS && command.length < 20) spellings.set(command, upper);
  return upper;
}

/** Families by their plain commands. Built at first use, since the modules import each other. */
let byCommand: ReadonlyMap<string, readonly Family[]> | undefined;

function familiesOf(command: string): readonly Family[] {
  byCommand ??= familiesByCommand();
  return byCommand.get(command) ?? NOBODY;
}

const NOBODY: readonly Family[] = [];

function familiesByCommand(): Map<string, Family[]> {
  const found = new Map<string, Family[]>();
  for (const family of FAMILIES) {
    for (const command of family.commands ?? []) found.set(command, [...(found.get(command) ?? []), family]);
  }
  return found;
}

function hasWord(args: readonly string[], word: string): boolean {
  return args.some((arg) => arg.toUpperCase() === word);
}

/** What FLUSHDB and FLUSHALL accept; any other word is a syntax error. A recording may hide the word. */
const FLUSH_OPTION = /^(A?SYNC|…)$/i;

/** Whether Redis accepts these options of EXPIRE: NX alone, or XX with GT or LT. */
function areConditions(words: readonly string[]): boolean {
  if (words.length === 0) return true;
  if (!words.every((word) => CONDITIONS.has(word))) return false;
  const isNx = words.includes('NX');
  return isNx ? words.every((word) => word === 'NX') : !(words.includes('GT') && words.includes('LT'));
}

const CONDITIONS: ReadonlySet<string> = new Set(['NX', 'XX', 'GT', 'LT']);

/** The end that a command of EXPIRE's family or an option of GETEX sets; undefined if Redis rejects the number. */
function expiryOf(command: string, at: RedisTime, text: string): RedisTime | undefined {
  const isInstant = command.endsWith('AT');
  const ms = redisMillis(text, command.startsWith('P') ? 1 : 1000, isInstant ? undefined : at);
  if (ms === undefined) return undefined;
  return isInstant ? redisTime(ms * 1000) : plusMillis(at, ms);
}
