import type { RedisTime } from '../../../base/time.ts';
import type { About, Context } from '../../context.ts';
import type { Companions } from '../../kinds/companion.ts';
import { isCounterKind } from '../../kinds/kinds.ts';
import type { Counter } from '../../mirror/counter.ts';
import type { LockKey } from '../../mirror/lock-key.ts';
import { permitIdFrom } from '../../names/counter-names.ts';
import type { KeyContent } from '../../types/watch-event.ts';
import { counterOf, numbersOf } from '../counters/counters.ts';
import { driftCause } from '../proof.ts';
import { hasSameIds, type Permits, reportEachPermit, reportListed } from './found-permit-ids.ts';
import { MOST_READ } from './found-queue.ts';
import { learnKind } from './known-key.ts';
import { loseCounter } from './lose-counter.ts';

/** Applies what a read found of a semaphore: the free permits, and the deadlines of the acquired ones. */
export function applyFoundPermits(to: Context, key: LockKey, found: Companions, at: RedisTime): void {
  if (key.kind !== 'semaphore' && key.kind !== 'expirable-semaphore') return;
  const [value, total] = numbersIn(found.permits);
  if (value === undefined) return;
  if (key.kind === 'semaphore' && hasPermitIds(found)) learnKind(to, key, 'expirable-semaphore', at);
  const counter = counterOf(key);
  const expected = new Map(counter.deadlines);
  const isNew = counter.value === undefined;
  if (total != null) counter.total = total;
  if (found.deadlines) findDeadlines(counter, found.deadlines);
  const out = outIn(found);
  if (key.kind === 'expirable-semaphore' && out !== undefined && value !== null) {
    counter.total = value + out; // an expired permit stays acquired until a script takes it back
  }
  // Known permits are compared only with a complete list.
  const isWhole = found.deadlines !== undefined && out === counter.deadlines.size && 2 * out === found.deadlines.length;
  const isOther = !isNew && value !== null && isWhole && !hasSameIds(expected, counter.deadlines);
  applyNumber(to, key, value, at, isOther ? expected : undefined);
}

/** Whether a sorted set beside the number has the ids of permits. Any application may use its name. */
function hasPermitIds({ deadlines = [] }: Companions): boolean {
  return deadlines.some((member, n) => n % 2 === 0 && permitIdFrom(member) !== undefined);
}

/** How many permits with ids are acquired; `undefined` if a read did not show it. */
function outIn({ deadlines, permitsOut }: Companions): number | undefined {
  if (!deadlines || permitsOut) return permitsOut && Number(permitsOut[0] ?? 0);
  const count = deadlines.length / 2;
  return count < MOST_READ ? count : undefined;
}

/**
 * The ids of all acquired permits are gone, by a command or an expiry: none of these permits can be released any
 * longer, so only the free permits are left.
 */
export function loseIds(
  to: Context,
  key: LockKey,
  role: string,
  at: RedisTime,
  _: string,
  by: string | undefined,
): void {
  const { counter } = key.mirrors ?? {};
  if (role !== 'deadlines' || !counter || counter.deadlines.size === 0) return;
  counter.deadlines.clear();
  if (counter.value != null) counter.total = counter.value;
  reportListed(to, { db: key.db, lock: key.name, kind: key.kind, at, by }, counter);
  to.onDoubt(key);
}

/** Applies what a read found of a latch. */
export function applyFoundLatch(to: Context, key: LockKey, found: Companions, at: RedisTime): void {
  const [value] = numbersIn(found.count);
  if (key.kind === 'latch' && value !== undefined) applyNumber(to, key, value, at);
}

/** Applies the number that a read found. `others`: the permits known before, if the read found different ones. */
function applyNumber(to: Context, key: LockKey, value: number | null, at: RedisTime, others?: Permits): void {
  const counter = counterOf(key);
  const before = counter.value;
  const isSame = before === value || (before == null && value === null);
  const wasThere = before === undefined && counter.isThere;
  const cause = driftCause(to, key);
  const isUnexplained = cause === 'unexplained' && to.hasCommands && before !== undefined;
  if (isUnexplained && !isSame && applyCommand(to, key, value, at)) return;
  counter.value = value;
  counter.isThere = value !== null;
  const isOpened = !to.hearsMessages || (counter.openedAt ?? 0) > (counter.readAt ?? 0);
  counter.readAt = at;
  key.watchEpoch = to.watchEpoch;
  // A deleted counter is read again when a command uses it. At levels without commands, only reads find it.
  if (value === null && to.hasCommands) to.keys.counters.delete(key);
  if (wasThere && value === null) {
    to.emit({ db: key.db, lock: key.name, kind: key.kind, at, certainty: 'inferred' }, { type: 'lock.deleted' });
  }
  if (isSame && !others) return;
  const about: About = { db: key.db, lock: key.name, kind: key.kind, at, certainty: 'inferred' };
  if (before === undefined) return reportFound(to, key, about, value);
  if (!to.hasCommands) {
    return others
      ? reportEachPermit(to, about, others, counter)
      : reportChange(to, key, about, { before, value, isOpened });
  }
  if (counter.total !== undefined) counter.total = Math.max(counter.total, value ?? 0);
  const detail = { expected: contentFrom(before), found: contentFrom(value), cause } as const;
  if (!isSame || cause === 'unexplained') {
    to.emit({ ...about, certainty: 'observed' }, { type: 'drift.healed', ...detail });
  }
  if (others) reportListed(to, about, counter);
}

/**
 * Reports the number that a read found, if an earlier command may have written it or removed the key. How many permits
 * there are in total is not known then. Returns whether there was such a command.
 */
function applyCommand(to: Context, key: LockKey, value: number | null, at: RedisTime): boolean {
  const { mayBeTaken, mayHaveCome } = key.mirrors ?? {};
  if (value === null) {
    if (!mayBeTaken) return false;
    loseCounter(to, key, { type: 'lock.deleted', ...mayBeTaken, certainty: 'inferred' });
    counterOf(key).value = null; // a command that writes as well found nothing to write
    to.keys.counters.delete(key);
  } else {
    if (!mayHaveCome) return false;
    const counter = counterOf(key);
    Object.assign(counter, { value, isThere: true, readAt: at });
    if (key.kind !== 'expirable-semaphore') counter.total = undefined;
    reportFound(to, key, { db: key.db, lock: key.name, kind: key.kind, at, certainty: 'inferred' }, value);
  }
  key.watchEpoch = to.watchEpoch;
  return true;
}

function reportFound(to: Context, key: LockKey, about: About, value: number | null): void {
  if (value === null) return;
  if (key.kind === 'latch') to.emit(about, { type: 'latch.set', count: value, isFound: true });
  else reportListed(to, about, counterOf(key));
}

/**
 * `isOpened`: whether a latch that disappeared was counted down to zero, which sends a message. A command like DEL
 * sends none. If messages are not received, true.
 */
type Change = { readonly before: number | null; readonly value: number | null; readonly isOpened: boolean };

/** At levels without commands, reports the most likely cause of a changed number. */
function reportChange(to: Context, key: LockKey, about: About, change: Change): void {
  const { before, value, isOpened } = change;
  const counter = counterOf(key);
  const by = (value ?? 0) - (before ?? 0);
  if (key.kind === 'latch') {
    if (value === null && !isOpened) to.emit(about, { type: 'latch.deleted' });
    else if (value !== null && by > 0) to.emit(about, { type: 'latch.set', count: value });
    else to.emit(about, { type: 'latch.counted-down', count: value ?? 0 });
    if (value === null && isOpened) to.emit(about, { type: 'latch.opened' });
    return;
  }
  if (before === null) to.emit(about, { type: 'permits.set', ...numbersOf(counter) });
  else if (value === null) to.emit(about, { type: 'lock.deleted' });
  else if (by < 0) to.emit(about, { type: 'permits.acquired', permits: -by, ...numbersOf(counter) });
  else to.emit(about, { type: 'permits.released', permits: by, ...numbersOf(counter) });
}

function findDeadlines(counter: Counter, values: readonly string[]): void {
  counter.deadlines.clear();
  for (let n = 0; n + 1 < values.length; n += 2) {
    const id = permitIdFrom(values[n] ?? '');
    const ms = Number(values[n + 1]);
    if (id !== undefined) counter.deadlines.set(id, ms < NEVER ? ((ms * 1000) as RedisTime) : null);
  }
}

/** The deadline, in ms, that Redisson sets for a permit that never expires. */
const NEVER = 922_337_203_685_477;

/**
 * The numbers that a read found at a counter's key. `null`: the key does not exist. `undefined`: not a number. Empty:
 * the key was not read.
 */
function numbersIn(values: readonly string[] | undefined): (number | null | undefined)[] {
  if (!values) return [];
  if (values.length === 0) return [null];
  return values.map((text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : undefined));
}

function contentFrom(value: number | null): KeyContent | null {
  return value === null ? null : { holders: [], expiresAt: null, value };
}

/**
 * The expected permits of a semaphore, in the form of a read. The total, which Redis does not store, is the second
 * value.
 */
export function expectedPermits({ kind, mirrors }: LockKey): Companions | undefined {
  const counter = mirrors?.counter;
  if (!counter || !isCounterKind(kind) || kind === 'latch' || counter.value == null) return undefined;
  const permits = [counter.value, ...(counter.total === undefined ? [] : [counter.total])].map(String);
  if (kind === 'semaphore') return { permits };
  const deadlines = [...counter.deadlines].flatMap(([id, end]) => [id, String(end === null ? NEVER : end / 1000)]);
  const out = counter.total === undefined ? undefined : { permitsOut: [String(counter.total - counter.value)] };
  return { permits, deadlines, ...out };
}

/** The expected count of a latch, in the form of a read. */
export function expectedLatch({ kind, mirrors }: LockKey): Companions | undefined {
  const value = mirrors?.counter?.value;
  return kind !== 'latch' || value == null ? undefined : { count: [String(value)] };
}
