import { plusMillis, type RedisTime, redisTime } from '../../../base/time.ts';
import type { KeyRead } from '../../../signals/signal.ts';
import { countOf, GroupValues } from '../../mirror/group-values.ts';
import type { LockKey } from '../../mirror/lock-keys.ts';
import { isGroupLockField, isGroupValue, parseValueField } from '../../names/group-lock-names.ts';
import type { HeldValue } from '../../types/hold-event.ts';
import type { FoundHolder, KeyContent } from '../../types/watch-event.ts';

/**
 * The hash of a group lock as a read shows it. Null: nobody has anything of it. Undefined: it is none.
 *
 * What ran out stays in the hash until its value is taken again, or all of it goes. Its end is by its client's clock; where
 * the script that set it was seen, on Redis's.
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
    const one = { value, holdCount: Number.isFinite(count) ? count : null, expiresAt: end };
    held.set(holder, [...(held.get(holder) ?? []), one]);
  }
  if (held.size === 0) return null;
  const holders = [...held].map(
    ([holder, values]): FoundHolder => ({ holder, holdCount: countOf(values) ?? 1, mode: 'exclusive', values }),
  );
  return { holders, expiresAt: read.pttl < 0 ? null : plusMillis(at, read.pttl) };
}

/** Takes over what a read found a holder to have. */
export function believeValues(key: LockKey, holder: string, values: readonly HeldValue[]): void {
  key.mirrors ??= {};
  key.mirrors.values ??= new GroupValues();
  key.mirrors.values.set(holder, values);
}

function endFrom(ms: string | undefined): RedisTime | null {
  return ms === undefined ? null : redisTime(Number(ms) * 1000);
}
