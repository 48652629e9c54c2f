import { plusMillis, type RedisTime } from '../../../base/time.ts';
import type { LineSignal } from '../../../signals/signal.ts';
import type { Action } from '../../action.ts';
import { redisMillis } from '../../libraries/redis-millis.ts';
import { leaseOf, setMayFail, triesFrom } from '../set-nx.ts';
import { type CommandTable, type Effect, hasWord, NOTHING, READS_FIRST, rowsFor, strangeOr } from './command-row.ts';
import { expiryOf, REMOVES_END, SETS_END } from './ends.ts';

/**
 * A command that acquires, renews or releases a lock with a token in some of its forms, and does something else in
 * others.
 */
function triesOr(otherwise: Effect['does'], keys: Effect['keys'] = 'first'): Effect {
  return { keys, does: (line) => triesFrom(line) ?? otherwise(line) };
}

/** Commands on strings. A string is a lock if its value is a token. */
export const STRING_COMMANDS: CommandTable = {
  SET: triesOr(overwritten),
  SETNX: triesOr(() => NOTHING),
  MSETNX: triesOr(() => NOTHING, 'any'),
  MSETEX: triesOr(manyOverwritten, 'any'),
  DELEX: triesOr(deletedIf),
  DELIFEQ: triesOr(() => NOTHING),
  GETDEL: { keys: 'first', does: replaced },
  GETSET: { keys: 'first', does: replaced },
  SETEX: { keys: 'first', does: (line) => overwrittenWithLease(line, 1000) },
  PSETEX: { keys: 'first', does: (line) => overwrittenWithLease(line, 1) },
  MSET: { keys: 'any', does: (line) => pairsOf(line, line.words.slice(1), {}) },
  GETEX: { keys: 'first', does: getAndSetExpiry },
  BITOP: { keys: 'any', reads: (args) => args.slice(1, 2) },
  ...rowsFor(['APPEND', 'SETRANGE', 'SETBIT', 'BITFIELD'], { keys: 'first', does: edited }),
  ...rowsFor(['INCR', 'INCRBY'], strangeOr('counter')),
  ...rowsFor(['DECR', 'DECRBY', 'INCRBYFLOAT'], READS_FIRST),
};

function overwritten(line: LineSignal): Action[] {
  const [, key = '', value, ...options] = line.words;
  const lease = leaseOf(line);
  const ends = lease ? { valueEnds: plusMillis(line.at, lease.ms) } : undefined;
  const kept = hasWord(options, 'KEEPTTL') ? ({ keepsEnd: true } as const) : undefined;
  const mayFail = setMayFail(line);
  return [
    {
      ...{ at: line.at, do: 'delete', key, command: 'SET', ...(value !== undefined && { value }) },
      ...{ ...ends, ...kept, ...(mayFail && { mayFail }) },
    },
  ];
}

function overwrittenWithLease({ at, words }: LineSignal, unit: 1 | 1000): Action[] {
  const [name = '', key = '', end = '', value] = words;
  const ms = redisMillis(end, unit, at) ?? 0;
  const ends = ms > 0 ? { valueEnds: plusMillis(at, ms) } : undefined;
  const command = name.toUpperCase();
  return [{ at, do: 'delete', key, command, value, ...ends, ...(!ends && { mayFail: 'always' }) }];
}

/** GETSET writes another value over the old one, GETDEL deletes it. */
function replaced({ at, words }: LineSignal): Action[] {
  const [name = '', key = '', value] = words;
  return [{ at, do: 'delete', key, command: name.toUpperCase(), value, mayFail: 'if-not-string' }];
}

/** The command writes a part of a string. The token is gone, unless that part is the same as before. */
function edited({ at, words }: LineSignal): Action[] {
  return [{ at, do: 'may-change', key: words[1] ?? '', command: words[0]?.toUpperCase(), isEdit: true }];
}

/** DELEX without a condition deletes a key of any type. With a condition, it rejects keys that are not strings. */
function deletedIf({ at, words }: LineSignal): Action[] {
  const command = words[0]?.toUpperCase() ?? '';
  const mayFail = words.length > 2 ? ({ mayFail: 'always' } as const) : undefined;
  return [{ at, do: 'delete', key: words[1] ?? '', command, ...mayFail }];
}

/** MSETEX without NX and XX: `MSETEX 2 k v k v PX ms`. */
function manyOverwritten(line: LineSignal): Action[] {
  const lease = leaseOf(line);
  const ends = lease ? { valueEnds: plusMillis(line.at, lease.ms) } : undefined;
  const kept = hasWord(line.words, 'KEEPTTL') ? ({ keepsEnd: true } as const) : undefined;
  return pairsOf(line, line.words.slice(2, 2 + 2 * Number(line.words[1])), { ...ends, ...kept });
}

type EndOfValue = { readonly valueEnds?: RedisTime; readonly keepsEnd?: true };

function pairsOf({ at, words }: LineSignal, pairs: readonly string[], left: EndOfValue): Action[] {
  const command = words[0]?.toUpperCase() ?? '';
  return pairs.flatMap((key, n) =>
    n % 2 === 0 ? [{ at, do: 'delete', key, command, value: pairs[n + 1], ...left } as const] : [],
  );
}

/**
 * GETEX sets or removes the end of a string. Redis rejects more than one option, an end that is not positive, and a
 * key that is not a string.
 */
function getAndSetExpiry({ at, words }: LineSignal): readonly Action[] {
  const [, key = '', option = '', end, ...more] = words;
  const expiresAt = endFromOption(option, end, at);
  if (expiresAt === undefined || more.length > 0) return NOTHING;
  return [{ at, do: 'set-expiry', key, command: 'GETEX', expiresAt, conditions: [], isOfString: true }];
}

/** The end that an option of GETEX, HGETEX or HSETEX sets. Null: no end. Undefined: the end stays as it is. */
export function endFromOption(option: string, end: string | undefined, at: RedisTime): RedisTime | null | undefined {
  if (end === undefined) return REMOVES_END.test(option) ? null : undefined;
  return SETS_END.test(option) && Number(end) > 0 ? expiryOf(option.toUpperCase(), at, end) : undefined;
}
