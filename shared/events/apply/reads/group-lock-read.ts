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
 * the hash is by the client's clock. If the holder of the value was known before, the end that was known counts
 * instead.
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

/** Stores the values that a read found for a holder. Other values of this holder stay. */
export function adoptValues(key: LockKey, holder: string, values: readonly HeldValue[]): void {
  key.mirrors ??= {};
  key.mirrors.values ??= new GroupValues();
  key.mirrors.values.set(holder, values);
}

function endFrom(ms: string | undefined): RedisTime | null {
  return ms === undefined ? null : redisTime(Number(ms) * 1000);
}
