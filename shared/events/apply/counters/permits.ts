import { millisBetween, plusMillis, type RedisTime } from '../../../base/time.ts';
import type { ActionOf } from '../../action.ts';
import type { Context, Origin } from '../../context.ts';
import { type Counter, noteDeadline, rememberExpired, rememberRefused } from '../../mirror/counter.ts';
import type { LockKey } from '../../mirror/lock-key.ts';
import type { Appliers } from '../appliers.ts';
import { reportListed } from '../reads/found-permit-ids.ts';
import { askForNumber, counterKey, counterOf, isListening, numbersOf, takerOf } from './counters.ts';

/** Actions of semaphores, which acquire and release permits. Only the connection shows the client of an action. */
export const PERMITS: Appliers<
  | 'take-permits'
  | 'refuse-permits'
  | 'drain-permits'
  | 'give-permits'
  | 'refuse-permit-release'
  | 'renew-permits'
  | 'set-permits'
  | 'set-total'
> = {
  'take-permits': take,
  'refuse-permits': refuse,
  'drain-permits': drain,
  'give-permits': give,
  'refuse-permit-release': refuseRelease,
  'renew-permits': renew,
  'set-permits': set,
  'set-total': setTotal,
};

function take(to: Context, action: ActionOf<'take-permits'>, from: Origin): void {
  const { lock, permits, deadlines = [], at, taker } = action;
  const key = counterKey(to, from.db, lock, action.kind, at);
  const counter = counterOf(key);
  change(to, key, counter, -permits);
  for (const { id, expiresAt } of deadlines) {
    noteDeadline(counter, id, expiresAt);
    if (from.by === undefined || taker !== undefined) continue;
    const hold = {
      db: key.db,
      lock,
      token: id,
      by: from.by,
      name: to.clients.connections.nameAt(from.by),
      at,
      isPermit: true,
    } as const;
    to.longTokens.note(hold, expiresAt === null ? null : millisBetween(at, expiresAt));
  }
  const ends = deadlines[0]?.expiresAt;
  reportTaken(to, key, action, from, {
    permits,
    ...(deadlines.length > 0 ? { permitIds: deadlines.map(({ id }) => id) } : undefined),
    ...(ends == null ? undefined : { expiresAt: ends }),
    ...(taker === undefined ? undefined : { taker }),
  });
}

function drain(to: Context, action: ActionOf<'drain-permits'>, from: Origin): void {
  const key = counterKey(to, from.db, action.lock, action.kind, action.at);
  const counter = counterOf(key);
  const { value: taken } = counter;
  counter.value = 0;
  reportTaken(to, key, action, from, { isDrain: true, ...(taken == null ? undefined : { permits: taken }) });
}

type Taken = { permits?: number; permitIds?: readonly string[]; expiresAt?: RedisTime; isDrain?: true; taker?: string };

function reportTaken(to: Context, key: LockKey, { at }: { at: RedisTime }, from: Origin, how: Taken): void {
  const counter = counterOf(key);
  const { taker = takerOf(to, from), ...taken } = how;
  const cause = taker === undefined ? undefined : causeOf(to, key, counter, taker);
  const client = taken.permitIds || from.by === undefined ? undefined : to.clients.uuidAt(from.by);
  to.emit(
    { db: key.db, lock: key.name, kind: key.kind, at, by: from.by, because: [cause?.seq] },
    {
      type: 'permits.acquired',
      ...(taker === undefined ? undefined : { holder: taker }),
      ...(client === undefined ? undefined : { client }),
      ...taken,
      ...numbersOf(counter),
      ...(cause ? { wokenBy: cause.wokenBy } : undefined),
    },
  );
  if (taker !== undefined) counter.refused.delete(taker);
  askForNumber(to, key);
}

/**
 * What ended the sleep of a client that listens and was refused before: a message, or the end of a permit. Undefined:
 * neither.
 */
function causeOf(to: Context, key: LockKey, counter: Counter, taker: string) {
  const since = counter.refused.get(taker);
  if (since === undefined || !isListening(to, key, taker)) return undefined;
  // The client's own script took back expired permits, and published the message only after the sleep.
  if (counter.lastReclaim > since) return { seq: counter.lastReclaim, wokenBy: 'own-timer' } as const;
  return key.lastMessage > since ? ({ seq: key.lastMessage, wokenBy: 'message' } as const) : undefined;
}

function refuse(to: Context, { lock, kind, permits, at }: ActionOf<'refuse-permits'>, from: Origin): void {
  const key = counterKey(to, from.db, lock, kind, at);
  const counter = counterOf(key);
  const taker = takerOf(to, from);
  const seq = to.emit(
    { db: key.db, lock, kind: key.kind, at, by: from.by },
    {
      type: 'permits.refused',
      permits,
      ...(taker === undefined ? undefined : { holder: taker, asleep: isListening(to, key, taker) }),
      ...numbersOf(counter),
    },
  );
  if (taker !== undefined) rememberRefused(counter, taker, seq);
  askForNumber(to, key);
}

function give(to: Context, action: ActionOf<'give-permits'>, from: Origin): void {
  const { lock, permits, ids, isReclaim, at, clientNow = at } = action;
  const key = counterKey(to, from.db, lock, action.kind, at);
  const counter = counterOf(key);
  change(to, key, counter, permits);
  const extra = counter.value != null && counter.total !== undefined ? counter.value - counter.total : 0;
  if (extra > 0) counter.total = counter.value ?? undefined;
  const named = ids ? { permitIds: ids } : undefined;
  const about = { db: key.db, lock, kind: key.kind, at };
  if (isReclaim) {
    for (const id of ids ?? []) rememberExpired(counter, id);
    counter.lastReclaim = to.emit(about, { type: 'permits.expired', permits, ...named, ...numbersOf(counter) });
  } else {
    const isLate = ids?.some((id) => isOver(counter.deadlines.get(id), clientNow)) === true;
    const taker = takerOf(to, from);
    to.emit(
      { ...about, by: from.by },
      {
        type: 'permits.released',
        permits,
        ...named,
        ...(taker === undefined ? undefined : { holder: taker }),
        ...(isLate ? { isLate } : undefined),
        ...(extra > 0 ? { raisedBy: extra } : undefined),
        ...numbersOf(counter),
      },
    );
  }
  for (const id of ids ?? []) counter.deadlines.delete(id);
  askForNumber(to, key);
}

/**
 * The release of a permit that is not there: it had expired and was taken back, or it was released before. If the
 * permit was still expected to be there, the permits that are left are reported and read.
 */
function refuseRelease(to: Context, { lock, kind, id, at }: ActionOf<'refuse-permit-release'>, from: Origin): void {
  const key = counterKey(to, from.db, lock, kind, at);
  const counter = counterOf(key);
  const reason = counter.expired.has(id) ? 'expired' : 'no-lock';
  const about = { db: key.db, lock, kind: key.kind, at };
  to.emit({ ...about, by: from.by }, { type: 'unlock.refused', holder: id, mode: 'permit', reason });
  if (!counter.deadlines.delete(id)) return;
  reportListed(to, { ...about, certainty: 'inferred' }, counter);
  to.onDoubt(key);
}

function renew(to: Context, { lock, kind, deadlines, at }: ActionOf<'renew-permits'>, from: Origin): void {
  const key = counterKey(to, from.db, lock, kind, at);
  const counter = counterOf(key);
  for (const { id, expiresAt } of deadlines) {
    noteDeadline(counter, id, expiresAt);
    to.emit(
      { db: key.db, lock, kind: key.kind, at, by: from.by },
      { type: 'permits.renewed', permitIds: [id], expiresAt, ...(counter.isSet ? numbersOf(counter) : undefined) },
    );
  }
}

/**
 * A script that sets the number of permits. If the key has a number already, and `asked` is not the new total, the
 * script adds `asked` to the number.
 */
function set(to: Context, action: ActionOf<'set-permits'>, from: Origin): void {
  const { lock, asked, available, isTotal, ttlMs, at } = action;
  const key = counterKey(to, from.db, lock, action.kind, at);
  const counter = counterOf(key);
  const isChange = !isTotal && (available !== asked || counter.value != null);
  if (!isChange) counter.total = asked;
  else if (counter.total !== undefined) counter.total += asked;
  counter.value = available;
  key.expiresAt = ttlMs === undefined ? null : plusMillis(at, ttlMs);
  reportSet(to, key, at, from, isChange ? asked : undefined);
}

function setTotal(to: Context, { lock, kind, total, change: by, at }: ActionOf<'set-total'>, from: Origin): void {
  const key = counterKey(to, from.db, lock, kind, at);
  const counter = counterOf(key);
  change(to, key, counter, by);
  counter.total = total;
  reportSet(to, key, at, from, by);
  askForNumber(to, key);
}

function reportSet(to: Context, key: LockKey, at: RedisTime, from: Origin, changedBy: number | undefined): void {
  const taker = takerOf(to, from);
  to.emit(
    { db: key.db, lock: key.name, kind: key.kind, at, by: from.by },
    {
      type: 'permits.set',
      ...(taker === undefined ? undefined : { holder: taker }),
      ...(changedBy === undefined ? undefined : { changedBy }),
      ...numbersOf(counterOf(key)),
    },
  );
}

/**
 * Adds to the free permits. If an acquisition makes them negative, the expected number was wrong, so a read is
 * requested. A set of permits may have more members than its total.
 */
function change(to: Context, key: LockKey, counter: Counter, by: number): void {
  counter.isThere = true;
  if (counter.value === undefined) return;
  const value = (counter.value ?? 0) + by;
  if (by > 0 || value >= 0 || counter.isSet) {
    counter.value = value;
    return;
  }
  counter.value = undefined;
  counter.total = undefined;
  to.onDoubt(key);
}

function isOver(end: RedisTime | null | undefined, at: RedisTime): boolean {
  return end != null && end <= at;
}
