import type { Millis } from '../../base/time.ts';
import type { LineSignal } from '../../signals/signal.ts';
import type { Action } from '../action.ts';
import type { QueueShift } from '../actions/fair-action.ts';
import { isDerivedFrom, isHolder, lockOfQueueKey, lockOfTimeoutsKey, NON_REENTRANT } from '../names/names.ts';
import type { RefusalReply } from '../types/lease.ts';
import type { Family } from './family.ts';
import { changeOfHold, leaseFrom, publications } from './hold-in-hash.ts';
import { isPublish, type ScriptRun } from './script-run.ts';

/**
 * The scripts of `RedissonFairLock` (3.2 to 4.7) with the queue Q and the deadlines Z (`docs/protocol.md` 6). Every
 * script except giving up begins by evicting heads whose deadline has passed:
 *
 *   (lindex Q 0 → zscore Z w → zrem Z w → lpop Q)*  lindex Q 0 [→ zscore Z w]     each w is evicted
 *
 *   … exists L → exists Q [→ lindex Q 0] → lpop Q → zrem Z h → … → hset L h 1     acquired, out of the queue
 *   … hexists L h → hincrby L h ±1 …                                              as with a plain lock
 *   … hexists L h → … → zadd Z t h → rpush Q h                                    refused, and queued
 *   … hexists L h → … → zadd Z t h                                                refused, with a new deadline (≤3.11.0)
 *   … hexists L h → zscore Z h [→ pttl L]                                         refused, still queued
 *   … hexists L h                                  3 keys: tryLock refused        more: unlock refused
 *   … hexists L h        non-reentrant lock        refused by its own hold; tryLock: or by another's
 *   … exists L → lindex Q 0 [→ publish]            unlock of a missing lock, reported as success
 *   … del L → lindex Q 0 [→ publish]               force-unlock
 *   [lrange Q|lindex Q] → (zincrby Z)* → zrem Z h → lrem Q 0 h                    gave up
 */
export const FAIR_LOCK: Family = {
  kind: 'fair-lock',
  begins: ['lindex', 'lrange', 'zrem'],
  recognise(run) {
    const { keys } = run;
    const [first = '', second = ''] = keys;
    if (keys.length === 2) return areOfOneLock(lockOfQueueKey(first), first, second) ? givingUp(run) : undefined;
    if (keys.length < 3 || run.names[0] !== 'lindex' || !areOfOneLock(first, second, keys[2] ?? '')) return undefined;
    const { evictions, from } = evictionsOf(run);
    const done = keys.length === 3 ? attempt(run, from) : unlock(run, from);
    if (!done) return undefined;
    const head = headSeen(run, from);
    const queueName = lockOfQueueKey(second);
    const isMapped = !isDerivedFrom(first, queueName);
    const actions = [...evictions, ...head, ...done];
    return isMapped && queueName !== undefined ? actions.map((action) => ({ ...action, queueName })) : actions;
  },
};

/**
 * Whether these keys are the queue and the deadlines of one lock. With a name mapper, the lock's own key has another
 * name.
 */
function areOfOneLock(lock: string | undefined, queue: string, timeouts: string): boolean {
  const named = lockOfQueueKey(queue);
  return lock !== undefined && named !== undefined && named === lockOfTimeoutsKey(timeouts);
}

/** The evictions, and the line at which the script's own work begins. */
function evictionsOf(run: ScriptRun): { evictions: Action[]; from: number } {
  const { lines, names, keys } = run;
  const [lock = ''] = keys;
  const evictions: Action[] = [];
  let n = 0;
  while (names[n] === 'lindex') {
    if (names[n + 1] !== 'zscore') return { evictions, from: n + 1 };
    const [zrem, lpop] = [lines[n + 2], lines[n + 3]];
    if (names[n + 2] !== 'zrem' || names[n + 3] !== 'lpop' || !zrem || !lpop) return { evictions, from: n + 2 };
    const holder = zrem.words[2] ?? '';
    evictions.push({ do: 'fair-evict', at: lpop.at, lock, holder, clientNow: nowOf(run) });
    n += 4;
  }
  return { evictions, from: n };
}

/** The head of the queue, as the script found it: the script reads a deadline only if there is a head. */
function headSeen({ lines, names, keys }: ScriptRun, from: number): Action[] {
  const [lock = ''] = keys;
  const last = lines[from - 1];
  const name = names[from - 1];
  if (!last || from >= lines.length || (name !== 'lindex' && name !== 'zscore')) return [];
  const head = name === 'zscore' ? (last.words[2] ?? '') : null;
  return [{ do: 'fair-head', at: last.at, lock, head }];
}

function attempt(run: ScriptRun, from: number): Action[] | undefined {
  const { lines, names, keys, args } = run;
  const [lock = ''] = keys;
  const holder = args[1] ?? '';
  const last = lines.at(-1);
  const firstOwn = lines[from];
  // Without `firstOwn`, the script ran no commands of its own: a head without a deadline cut it off (3.30 and before).
  if (!last || !isHolder(holder) || (firstOwn && firstOwn.words[1] !== lock)) return undefined;
  const clientNow = nowOf(run);
  for (let n = from; n < lines.length; n++) {
    const line = lines[n];
    const name = names[n];
    if (!line) break;
    if (name === 'hincrby') return changeOfHold(run, 'fair-lock');
    if (name === 'hset') {
      const pexpire = names[n + 1] === 'pexpire' ? lines[n + 1] : undefined;
      const lease = pexpire ? leaseFrom(pexpire, run) : null;
      return [{ do: 'fair-acquire', at: line.at, lock, holder, lease, shift: shiftOf(run, from), clientNow }];
    }
    if (name !== 'zadd') continue;
    const deadline = numberOf(line.words[2]);
    const isQueued = names[n + 1] === 'rpush';
    const reported = replyBefore(deadline, args);
    return [refusal(run, { at: lines[n + 1]?.at ?? line.at, reported, deadline, isQueued, reason: 'held' })];
  }
  const isTry = isTryOnce(args);
  const hasLooked = isInQueue(run, holder);
  const reported: RefusalReply = hasLooked && names.at(-1) === 'pttl' ? { by: 'pttl', at: last.at } : null;
  // A waiting attempt always reads its own deadline, tryLock always its hold. A script that stops earlier met an error.
  const isNonReentrant = args.at(-1) === NON_REENTRANT;
  const isAnswered = names.at(-1) === 'hexists' && (isTry || isNonReentrant);
  const reason = hasLooked ? 'held' : !isAnswered ? 'error' : isNonReentrant ? 'own-hold' : 'held';
  const isThere = reason === 'error' && names.at(-1) === 'hexists' ? ({ isThere: true } as const) : undefined;
  return [refusal(run, { at: last.at, reported, deadline: null, isQueued: false, reason, ...isThere })];
}

/** Whether an attempt ended by reading its caller's deadline in the queue, and from 3.32.0 on also the lease. */
function isInQueue({ lines, names }: ScriptRun, holder: string): boolean {
  const n = names.length - (names.at(-1) === 'pttl' ? 2 : 1);
  return names[n] === 'zscore' && lines[n]?.words[2] === holder && names[n - 1] === 'hexists';
}

function refusal(
  run: ScriptRun,
  how: Pick<Extract<Action, { do: 'fair-refuse' }>, 'at' | 'reported' | 'deadline' | 'isQueued' | 'reason' | 'isThere'>,
): Action {
  const [lock = ''] = run.keys;
  const [, holder = ''] = run.args;
  // A script checks for a queue only if the lock is free.
  const isFree = run.lines.some(({ words }, n) => run.names[n] === 'exists' && words[1] === run.keys[1]);
  return { do: 'fair-refuse', lock, holder, ...how, isFree, waitMs: waitOf(run.args), clientNow: nowOf(run) };
}

function unlock(run: ScriptRun, from: number): Action[] | undefined {
  const { lines, names, keys, args } = run;
  const [lock = ''] = keys;
  const first = lines[from];
  const last = lines.at(-1);
  const kind = 'fair-lock';
  const holder = args[2] ?? '';
  if (!last || (first && first.words[1] !== lock)) return undefined;
  // The script ran no commands of its own: a head without a deadline cut it off (3.30 and before).
  if (!first) {
    return isHolder(holder) ? [{ do: 'refuse-unlock', at: last.at, lock, kind, holder, callerSawSuccess: false }] : [];
  }
  if (names[from] === 'del') {
    // A script that does not read the queue afterwards found nothing to delete.
    return [
      { do: 'force-release', at: first.at, lock, kind, hasFound: names[from + 1] === 'lindex' },
      ...publications(run),
    ];
  }
  const changed = changeOfHold(run, kind);
  if (changed) return changed;
  if (names[from] !== 'exists' || !isHolder(holder)) return undefined;
  if (names[from + 1] === 'hexists' && lines.length === from + 2) {
    return [{ do: 'refuse-unlock', at: last.at, lock, kind, holder, callerSawSuccess: false }];
  }
  if (names[from + 1] !== 'lindex' || !(lines.length === from + 2 || isPublish(names[from + 2]))) return undefined;
  return [{ do: 'refuse-unlock', at: last.at, lock, kind, holder, callerSawSuccess: true }, ...publications(run)];
}

function givingUp(run: ScriptRun): Action[] | undefined {
  const { lines, names, args } = run;
  const lock = lockOfQueueKey(run.keys[0] ?? '');
  const last = lines.at(-1);
  const [holder = ''] = args;
  if (lock === undefined || !last || !isHolder(holder) || names.at(-2) !== 'zrem' || names.at(-1) !== 'lrem') {
    return undefined;
  }
  return [{ do: 'fair-give-up', at: last.at, lock, holder, shift: shiftOf(run, 0) }];
}

/** The deadlines that `zincrby` lines moved, all by the same time. */
function shiftOf({ lines, names }: ScriptRun, from: number): QueueShift | null {
  let ms: Millis | null = null;
  const holders: string[] = [];
  for (let n = from; n < lines.length; n++) {
    const words: LineSignal['words'] = names[n] === 'zincrby' ? (lines[n]?.words ?? []) : [];
    if (words.length < 4) continue;
    ms = numberOf(words[2]);
    holders.push(words[3] ?? '');
  }
  return ms === null ? null : { ms, holders };
}

/** In ms: longer than any wait time, earlier than any client's clock. A greater number is a point in time. */
const FIRST_TIME = 1e11;

/**
 * The wait time in the reply, computed back from the deadline just set (ARGV by generation, `docs/protocol.md` 14).
 *
 *   3.11.1+    lease, h, wait, now         deadline = reply + wait + now
 *   ≤3.11.0    lease, h, now + wait, now   deadline = reply + (now + wait)
 */
function replyBefore(deadline: Millis | null, args: readonly string[]): RefusalReply {
  const [third, fourth] = [numberOf(args[2]), numberOf(args[3])];
  if (deadline === null || third === null || fourth === null) return null;
  return { by: 'deadline', ms: third > FIRST_TIME ? deadline - third : deadline - third - fourth };
}

/** Arguments of tryLock: `lease, h, now [, wait]`; of a wait: `lease, h, wait, now` or `lease, h, now + wait, now`. */
function isTryOnce(args: readonly string[]): boolean {
  const [third, fourth] = [numberOf(args[2]), numberOf(args[3])];
  return third !== null && third > FIRST_TIME && (fourth === null || fourth < FIRST_TIME);
}

function waitOf(args: readonly string[]): Millis | null {
  const [third, fourth] = [numberOf(args[2]), numberOf(args[3])];
  if (third === null || fourth === null || isTryOnce(args)) return null;
  return third > FIRST_TIME ? third - fourth : third;
}

/** The time by the client's own clock, from the script's arguments. */
function nowOf({ keys, args }: ScriptRun): Millis | null {
  if (keys.length !== 3) return numberOf(args.length === 2 || args.length === 3 ? args[1] : args[3]);
  return numberOf(isTryOnce(args) ? args[2] : args[3]);
}

function numberOf(text: string | undefined): Millis | null {
  const value = text === undefined || text === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : null;
}
