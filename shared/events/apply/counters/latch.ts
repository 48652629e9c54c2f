import type { ActionOf } from '../../action.ts';
import type { Context, Origin } from '../../context.ts';
import type { Appliers } from '../appliers.ts';
import { askForNumber, counterKey, counterOf, takerOf } from './counters.ts';

/** Actions of count-down latches, which count down to zero once and are then open. */
export const LATCHES: Appliers<'set-latch' | 'count-down' | 'delete-latch'> = {
  'set-latch': set,
  'count-down': countDown,
  'delete-latch': remove,
};

function set(to: Context, { lock, count, at }: ActionOf<'set-latch'>, from: Origin): void {
  const key = counterKey(to, from.db, lock, 'latch', at);
  const counter = counterOf(key);
  counter.value = count;
  counter.total = count;
  key.expiresAt = null;
  const taker = takerOf(to, from);
  to.emit(
    { db: key.db, lock, kind: 'latch', at, by: from.by },
    { type: 'latch.set', count, ...(taker === undefined ? undefined : { holder: taker }) },
  );
}

function countDown(to: Context, { lock, isLast, hasOpened, at }: ActionOf<'count-down'>, from: Origin): void {
  const key = counterKey(to, from.db, lock, 'latch', at);
  const counter = counterOf(key);
  const before = counter.value;
  counter.value = isLast ? null : before == null ? undefined : before - 1;
  const taker = takerOf(to, from);
  const about = { db: key.db, lock, kind: 'latch', at, by: from.by } as const;
  const counted = to.emit(about, {
    type: 'latch.counted-down',
    ...(counter.value === undefined ? undefined : { count: counter.value ?? 0 }),
    ...(taker === undefined ? undefined : { holder: taker }),
    ...(isLast && !hasOpened ? { wasOpen: true } : undefined),
  });
  if (hasOpened) to.emit({ ...about, because: [counted] }, { type: 'latch.opened' });
  askForNumber(to, key);
}

function remove(to: Context, { lock, isProven, at }: ActionOf<'delete-latch'>, from: Origin): void {
  const known = to.keys.find(from.db, lock);
  if (!isProven && known?.mirrors?.counter?.value == null) return;
  const key = counterKey(to, from.db, lock, 'latch', at);
  counterOf(key).value = null;
  to.emit({ db: key.db, lock, kind: 'latch', at, by: from.by }, { type: 'latch.deleted' });
}
