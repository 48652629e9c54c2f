import type { LineSignal } from '../../../signals/signal.ts';
import type { Action } from '../../action.ts';
import { isNameOfForm } from '../../libraries/token-found.ts';
import { lockOfSignal, PERMIT_LIST_END } from '../../names/signal-lists.ts';
import { recogniseQueueCommand } from '../queue-command.ts';
import { membersRemoved } from '../set-of-holders.ts';
import {
  actionsOfRow,
  type CommandTable,
  type Effect,
  READS_ANY,
  READS_FIRST,
  READS_TWO,
  rowsFor,
  strangeOr,
} from './command-row.ts';

/** A command on the queue of a fair lock, or on the deadlines of its waiters. On another key it may change permits. */
const EDITS: Effect = {
  keys: 'first',
  does: (line: LineSignal) => recogniseQueueCommand(line) ?? actionsOfRow(READS_FIRST, line),
};

/**
 * `BLPOP lock-signal:orders 7`: a waiter of python-redis-lock or walrus. It may wait for another lock, if a release of
 * that lock was seen to put an item into this list.
 */
function sleepOf(line: LineSignal): readonly Action[] {
  const { at, words } = line;
  const [, channel = '', limit, ...others] = words;
  if (others.length > 0) return actionsOfRow(READS_ANY, line);
  const lock = lockOfSignal(channel);
  const sleep: Action = { at, do: 'token-sleep', lock, channel, limitMs: Number(limit) * 1000 || 0 };
  return lock === undefined ? [sleep, ...(permitInList(line) ?? actionsOfRow(READS_ANY, line))] : [sleep];
}

/**
 * A lock whose permits are the items of a list: `BLPOP worker:AVAILABLE 0` of redis-semaphore of Ruby and Python, or
 * one that an application made itself, `BLPOP mutex:report 5`.
 */
function permitInList({ at, words }: LineSignal): readonly Action[] | undefined {
  const [, key = '', , ...others] = words;
  const isOfLibrary = key.endsWith(PERMIT_LIST_END);
  if (!isOfLibrary && !(isNameOfForm(key) && others.length === 0)) return undefined;
  return [{ at, do: 'strange-lock', key: isOfLibrary ? key.slice(0, -PERMIT_LIST_END.length) : key, form: 'list' }];
}

/**
 * JuiceFS locks a file by a field of the hash `lockf42` or `lockp42`, and adds this name to the set of its session:
 * `SADD locked7 lockf42`.
 */
function fileLock({ at, words }: LineSignal): readonly Action[] | undefined {
  const [, session = '', key = ''] = words;
  if (!SESSION_LOCKS.test(session) || !FILE_LOCK.test(key)) return undefined;
  return [{ at, do: 'strange-lock', key, form: 'hash-field' }];
}

const SESSION_LOCKS = /^(?:\{\d+\})?locked\d+$/;
const FILE_LOCK = /^(?:\{\d+\})?lock[fp]\d+$/;

const KEY_OF_OTHER_TYPE = { ignored: 'It fails if its key is a lock: no lock has this type.' };

/** Commands on lists, on sorted sets, and on the types that no lock has. */
export const COLLECTION_COMMANDS: CommandTable = {
  ...rowsFor(['LREM', 'LPOP', 'RPOP', 'LTRIM', 'LSET', 'LINSERT', 'LPUSH', 'RPUSH', 'LMOVE', 'RPOPLPUSH'], EDITS),
  ...rowsFor(['ZINCRBY', 'ZPOPMIN', 'ZPOPMAX', 'ZREMRANGEBYSCORE', 'ZREMRANGEBYRANK'], EDITS),
  ZREM: {
    keys: 'first',
    does: (line) => recogniseQueueCommand(line) ?? [membersRemoved(line), ...actionsOfRow(READS_FIRST, line)],
  },
  ZADD: {
    keys: 'first',
    does: (line) => recogniseQueueCommand(line) ?? strangeOr('sorted-set').does(line),
  },
  ...rowsFor(['LPUSHX', 'RPUSHX', 'ZREMRANGEBYLEX', 'GEOADD'], READS_FIRST),
  ...rowsFor(['LMPOP', 'ZMPOP', 'BLMPOP', 'BZMPOP', 'BZPOPMIN', 'BZPOPMAX'], READS_ANY),
  BLPOP: { keys: 'any', does: sleepOf },
  BRPOP: { keys: 'any', does: sleepOf },
  ...rowsFor(['BLMOVE', 'BRPOPLPUSH'], READS_TWO),
  ...rowsFor(['ZUNIONSTORE', 'ZINTERSTORE', 'ZDIFFSTORE', 'ZRANGESTORE', 'GEOSEARCHSTORE'], READS_FIRST),
  ...rowsFor(['SUNIONSTORE', 'SINTERSTORE', 'SDIFFSTORE'], READS_FIRST),
  ...rowsFor(['GEORADIUS', 'GEORADIUSBYMEMBER'], { keys: 'any', reads: storeOf }),
  SADD: { keys: 'first', does: (line) => fileLock(line) ?? strangeOr('set').does(line) },
  ...rowsFor(['SREM', 'SPOP', 'SMOVE', 'PFADD', 'PFMERGE', 'PFDEBUG'], KEY_OF_OTHER_TYPE),
  ...rowsFor(['XADD', 'XDEL', 'XDELEX', 'XTRIM', 'XACK', 'XACKDEL', 'XCLAIM', 'XAUTOCLAIM'], KEY_OF_OTHER_TYPE),
  ...rowsFor(['XGROUP', 'XREADGROUP', 'XSETID', 'XCFGSET', 'XIDMPRECORD'], KEY_OF_OTHER_TYPE),
};

/** The key after STORE or STOREDIST, which GEORADIUS replaces. */
export function storeOf(args: readonly string[]): readonly string[] {
  const store = args.findLastIndex((word, n) => n > 0 && /^STORE(DIST)?$/i.test(word));
  return store < 0 ? [] : args.slice(store + 1, store + 2);
}
