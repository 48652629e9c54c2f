import type { LineSignal } from '../../signals/signal.ts';
import type { Action, ActionOf } from '../action.ts';
import { scriptVersionFromHead } from '../libraries/script-versions.ts';
import {
  holderOfField,
  isHolder,
  isLatchKey,
  isWriteField,
  lockOfChannel,
  parseReadTimeoutKey,
} from '../names/names.ts';
import type { HoldMode } from '../types/hold-event.ts';
import type { Family } from './family.ts';
import { leaseFrom, publications, strangeHash } from './hold-in-hash.ts';
import { readRenewals } from './read-renewal.ts';
import { isPublish, type ScriptRun } from './script-run.ts';

const KIND = 'read-write-lock';
/**
 * From this release on (3.44.0, as `script-versions.ts` counts), the unlock of a missing lock is reported as an error.
 * An unknown script is older if it has no latch.
 */
const MISSING_IS_ERROR = 3_044_000;

/**
 * The scripts of `RedissonReadWriteLock` (3.3 to 4.7; `docs/protocol.md` 7). The hash has a field `mode`, a field per
 * reader, and `h:write` for the writer. Each count of a reader has a timeout key TP:n. All begin with `hget L mode`:
 *
 *   → hset L mode read → hset L h 1 → set TP:1 → pexpire TP:1 → pexpire L    acquired for reading, the first
 *   [→ hexists L h:write] → hincrby L h 1 → set TP:n → … → pexpire L         joined, or re-entered if n > 1
 *   → hset L mode write → hset L h:write 1 → pexpire L                       acquired for writing
 *   → hexists L h:write → hincrby L h:write 1 → [pttl L →] pexpire L         re-entered: the leases add up
 *   → hexists L h:write → pttl L                                             refused by a writer
 *   → pttl L                                                                 refused by readers, even by its own hold
 *   → hexists L f → hincrby L f -1 [→ hdel L f] → …                          released, or partially released
 *        … del L → publish                                                   the lock is free, other holders are gone
 *        … hset L mode read                                                  downgraded, without a message
 *   [→ hexists L f]                                    with a channel        unlock refused
 *   → publish                                          with a channel        unlock of a missing lock
 *   → del L → publish                                                        force-unlock
 *
 * A read renewal begins with `hget L h`: see `read-renewal.ts`. A writer is renewed like the holder of a plain lock.
 */
export const READ_WRITE_LOCK: Family = {
  kind: KIND,
  begins: ['hget'],
  recognise(run) {
    const [first] = run.lines;
    const [lock, channel = ''] = run.keys;
    if (first?.words[2] !== 'mode' || first.words[1] !== lock) return readRenewals(run) ?? strangeHash(run);
    return lockOfChannel(channel)?.kind === KIND ? unlock(run) : attempt(run);
  },
};

function attempt(run: ScriptRun): Action[] | undefined {
  const { lines, names, keys, args, shape } = run;
  const [lock = ''] = keys;
  if (args.length === 0) return shape === 'hget' || shape === 'hget hlen' ? [] : undefined; // a query
  const field = args[1] ?? '';
  const [holder, mode] = holdOf(field);
  const last = lines.at(-1);
  if (!isHolder(holder) || !last) return undefined;
  const n = lines.findIndex(({ words }, index) => isChange(words, names[index], lock, field, '1'));
  const change = lines[n];
  if (!change) {
    const reported = names.at(-1) === 'pttl' ? ({ by: 'pttl', at: last.at } as const) : null;
    if (!reported && shape !== 'hget' && shape !== 'hget hexists' && shape !== 'hget hset') return undefined;
    const refused: ActionOf<'refuse'> & Action = {
      ...{ do: 'refuse', at: last.at, lock, kind: KIND, holder, mode, reported, reason: reported ? 'held' : 'error' },
      ...(reported ? { heldFor: shape === 'hget pttl' ? 'read' : 'write' } : undefined),
    };
    return [refused];
  }
  const { at } = change;
  const isAdded = names[n] === 'hincrby';
  const lease = leaseOf(run, n, lock);
  if (mode === 'write') {
    return [{ do: 'acquire', at, lock, kind: KIND, holder, mode, isReentry: isAdded, lease }];
  }
  const set = lines.find((_, index) => index > n && names[index] === 'set');
  const key = set?.words[1] ?? '';
  const count = isAdded ? (parseReadTimeoutKey(key)?.count ?? null) : 1; // 3.3.1 and before set no such key
  return [{ do: 'read-acquire', at, lock, holder, count, isShared: isAdded, timeout: leaseOf(run, n, key), lease }];
}

function unlock(run: ScriptRun): Action[] | undefined {
  const { lines, names, keys, args, shape } = run;
  const [lock = ''] = keys;
  const field = [args[2], args[1]].find((arg) => arg !== undefined && (isWriteField(arg) || isHolder(arg)));
  if (field === undefined) return forced(run, lock);
  const [holder, mode] = holdOf(field);
  const n = lines.findIndex(({ words }, index) => isChange(words, names[index], lock, field, '-1'));
  const change = lines[n];
  if (!change) return refusedUnlock(run, lock, holder, mode, shape);
  const after = (name: string, ...words: string[]) =>
    lines.some(
      (line, index) => index > n && names[index] === name && words.every((word, i) => line.words[i + 1] === word),
    );
  const isGone = after('hdel', lock, field);
  const isFreed = after('del', lock);
  const counted = lines.flatMap(({ words }, index) =>
    names[index] === 'del' ? (parseReadTimeoutKey(words[1] ?? '') ?? []) : [],
  );
  const count = isGone || isFreed ? 0 : counted[0] ? counted[0].count - 1 : null;
  return [
    {
      do: mode === 'write' ? 'write-release' : 'read-release',
      ...{ at: change.at, lock, holder, count, isFreed },
      isDowngrade: mode === 'write' && after('hset', lock, 'mode', 'read'),
      lease: leaseOf(run, n, lock),
    },
    ...publications(run, n),
  ];
}

function refusedUnlock(run: ScriptRun, lock: string, holder: string, mode: HoldMode, shape: string) {
  const at = run.lines.at(-1)?.at ?? run.head.at;
  const isFree = isPublish(run.names[1]) && run.lines.length === 2;
  if (!isFree && shape !== 'hget' && shape !== 'hget hexists') return undefined;
  const version = isFree ? scriptVersionFromHead(run.head) : undefined;
  const isOld = version ? version.last < MISSING_IS_ERROR : !run.keys.some(isLatchKey);
  const callerSawSuccess = isFree && isOld;
  const refused: Action = { do: 'refuse-unlock', at, lock, kind: KIND, holder, mode, callerSawSuccess, isFree };
  return [refused, ...publications(run)];
}

/**
 * A force-unlock. The script of a read lock deletes the lock only in mode `read`, that of a write lock only in mode
 * `write`.
 */
function forced(run: ScriptRun, lock: string): Action[] | undefined {
  const deleted = run.names[1] === 'del' && run.lines[1]?.words[1] === lock ? run.lines[1] : undefined;
  if (!deleted) return run.shape === 'hget' ? [] : undefined;
  return [{ do: 'force-release', at: deleted.at, lock, kind: KIND, hasFound: true }, ...publications(run)];
}

function holdOf(field: string): [holder: string, mode: 'read' | 'write'] {
  return isWriteField(field) ? [holderOfField(field), 'write'] : [field, 'read'];
}

function isChange(
  words: LineSignal['words'],
  name: string | undefined,
  lock: string,
  field: string,
  by: string,
): boolean {
  return (name === 'hincrby' || name === 'hset') && words[1] === lock && words[2] === field && words[3] === by;
}

function leaseOf(run: ScriptRun, from: number, key: string) {
  const line = run.lines.find(({ words }, index) => index > from && run.names[index] === 'pexpire' && words[1] === key);
  return line ? leaseFrom(line, run) : null;
}
