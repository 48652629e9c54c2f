import { isRedisSince } from '../../base/key-event-flags.ts';
import { type Finding, finding, type Observed } from '../finding.ts';
import { infoOf, numberFrom, numberOf, type Readings, settingOf } from '../readings.ts';
import { notReported, settingLine, unread } from '../remedy.ts';

/** Above this share of `maxmemory`, a burst of writes may fill the memory. */
const NEARLY_FULL_PERCENT = 90;

/** Whether Redis may evict locks to free memory, and whether its memory is nearly full. */
export function checkMemory(readings: Readings): Finding[] {
  const limit = numberOf(readings, 'maxmemory') ?? numberFrom(settingOf(readings, 'maxmemory'));
  const policy = infoOf(readings, 'maxmemory_policy') ?? settingOf(readings, 'maxmemory-policy');
  const used = numberOf(readings, 'used_memory');
  const evicted = numberOf(readings, 'evicted_keys');
  const read: Observed[] = [
    ...observed('maxmemory', limit),
    ...observed('maxmemory-policy', policy),
    ...observed('evicted_keys', evicted),
  ];
  if (limit === null) return [missing(readings, 'maxmemory', read)];
  if (limit === 0) return [finding('eviction', 'good', 'evicts-nothing', { isWithoutLimit: true }, read)];
  return [evictionOf(readings, policy, evicted, read), ...fillOf(limit, used)];
}

function evictionOf(readings: Readings, policy: string | null, evicted: number | null, read: Observed[]): Finding {
  if (policy === null) return missing(readings, 'maxmemory-policy', read);
  if (policy === 'noeviction') return finding('eviction', 'good', 'evicts-nothing', { isWithoutLimit: false }, read);
  if (!/^(?:volatile|allkeys)-/.test(policy)) return notReported('eviction', `maxmemory-policy ${policy}`);
  const isTtlOnly = policy.startsWith('volatile-');
  const values = { policy, isTtlOnly, evicted, canProtect: isRedisSince(readings, 8, 12) };
  const fix = [settingLine(readings, 'maxmemory-policy', 'noeviction')];
  return finding('eviction', 'danger', 'evicts', values, read, fix);
}

function fillOf(limit: number, used: number | null): Finding[] {
  if (used === null) return [];
  const read = [...observed('used_memory', used), ...observed('maxmemory', limit)];
  const percent = Math.floor((used / limit) * 100);
  if (percent < NEARLY_FULL_PERCENT) return [finding('memory', 'good', 'memory-left', { percent }, read)];
  return [finding('memory', percent >= 100 ? 'danger' : 'warning', 'memory-nearly-full', { percent }, read)];
}

function missing(readings: Readings, what: string, read: Observed[]): Finding {
  if ('refused' in readings.info) return unread('eviction', readings, readings.info.refused, read);
  return notReported('eviction', what);
}

/** A value that was read, as an item of `read`; nothing if it was not read. */
export function observed(name: string, value: string | number | null): Observed[] {
  return value === null ? [] : [{ name, value: String(value) }];
}
