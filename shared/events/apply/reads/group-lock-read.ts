import { plusMillis, type RedisTime, redisTime } from '../../../base/time.ts';
import type { KeyRead } from '../../../signals/signal.ts';
import { countOf, GroupValues } from '../../mirror/group-values.ts';
import type { LockKey } from '../../mirror/lock-key.ts';
import { isGroupLockField, isGroupValue, parseValueField } from '../../names/group-lock-names.ts';
import type { HeldValue } from '../../types/hold-event.ts';
import type { FoundHolder, KeyContent } from '../../types/watch-event.ts';

/**
 * The holders of a group lock that a read shows. `null`: no value is held. `undefined`: the key is not a group lock.
 *
 * A value stays in the hash after its hold expired, until it is acquired again or the whole hash is gone. The end in
 * the hash is by the client's clock. If commands showed the end on Redis's clock, `known` has it, and it counts instead.
 */
export function contentOfGroup(read: KeyRead, at: RedisTime, known?: GroupValues): KeyContent | null | undefined {
  const fields = Object.entries(read.fields);
  if (!fields.some(([field]) => parseValueField(field)) || !fields.every(([f, v]) => isGroupLockField(f, v))) {
    return undefined;
  }
  const held = new Map<string, HeldValue[]>();
  for (const [value, holder] of fields) {
    if (!isGroupValue(value)) continue;
    const count = Number(read.fields[`${value}:${holder}:lock_count`]);
    const end =
      known?.ownerOf(value) === holder ? known.endOf(value) : endFrom(read.fields[`${value}:${holder}:expire_time`]);
    if (end !== null && end <= at) continue;
    const heldValue = { value, holdCount: Number.isFinite(count) ? count : null, expiresAt: end };
    held.set(holder, [...(held.get(holder) ?? []), heldValue]);
  }
  if (held.size === 0) return null;
  const holders = [...held].map(
    ([holder, values]): FoundHolder => ({ holder, holdCount: countOf(values) ?? 1, mode: 'exclusive', values }),
  );
  return { holders, expiresAt: read.pttl < 0 ? null : plusMillis(at, read.pttl) };
}

/**
 * Takes over later ends of values that a read found with their known holders: their holds were renewed, so they have not
 * expired.
 */
export function renewValues(key: LockKey, { holders }: KeyContent): void {
  const known = key.mirrors?.values;
  if (!known) return;
  for (const { holder, values = [] } of holders) {
    for (const { value, expiresAt } of values) {
      const before = known.ownerOf(value) === holder ? known.endOf(value) : null;
      if (before !== null && expiresAt !== null && expiresAt > before) known.renew(value, holder, expiresAt);
    }
  }
}

/** Whether a read found the known values of each holder, with the known counts. An unknown count fits any. */
export function hasSameValues(key: LockKey, { holders }: KeyContent): boolean {
  const known = key.mirrors?.values;
  return !known || holders.every(({ holder, values = [] }) => isEmpty(changeOf(known.heldBy(holder), values)));
}

/** Which holds of values a holder has gained and lost between what was known and what a read found. */
export function changeOf(before: readonly HeldValue[], found: readonly HeldValue[]) {
  const countIn = (values: readonly HeldValue[], { value }: HeldValue) =>
    values.find((each) => each.value === value)?.holdCount;
  const isMore = (each: HeldValue, others: readonly HeldValue[]) => {
    const count = countIn(others, each);
    return count === undefined || (count !== null && each.holdCount !== null && each.holdCount > count);
  };
  const gained = found.filter((each) => isMore(each, before));
  return { gained, lost: before.filter((each) => isMore(each, found)) };
}

function isEmpty({ gained, lost }: ReturnType<typeof changeOf>): boolean {
  return gained.length === 0 && lost.length === 0;
}

/** Stores the values that a read found for a holder, which has no others. */
export function adoptValues(key: LockKey, holder: string, values: readonly HeldValue[]): void {
  key.mirrors ??= {};
  key.mirrors.values ??= new GroupValues();
  key.mirrors.values.set(holder, values);
}

function endFrom(ms: string | undefined): RedisTime | null {
  return ms === undefined ? null : redisTime(Number(ms) * 1000);
}
