import { plusMillis, type RedisTime } from '../../base/time.ts';
import type { LineSignal } from '../../signals/signal.ts';
import type { Action } from '../action.ts';
import type { ValueChange } from '../actions/group-lock-action.ts';
import { isGroupValue, parseValueField } from '../names/group-lock-names.ts';
import { isHolder, lockOfChannel } from '../names/names.ts';
import type { Family } from './family.ts';
import { leaseFrom, publications } from './hold-in-hash.ts';
import { isPublish, type ScriptRun } from './script-run.ts';

/**
 * Group multi locks (`getMultiLock(group, values)`, 3.38.0 on): one hash, in which each value has its own holder. f is
 * a value as Redisson hashes it, h the caller, o another holder.
 *
 *   exists → [hget f…] → (hset f h → hget f:h:expire_time → hset … → HINCRBY f:h:lock_count 1)* → [pttl →] [pexpire]   acquired
 *   exists → hget f → hget f:o:expire_time, then nothing                                              refused
 *   exists → (hget f → hget f:h:expire_time [→ hset …])* → pttl [→ pexpire]                           renewed
 *   exists → … hget f, or exists alone                                                                renewal refused
 *   exists [→ hget f]                             with an empty holder                                a renewal of nothing
 *   exists → (hget f:h:expire_time → hincrby … -1 → hdel ×3 | [hset …])* → PUBLISH … [→ pexpire]      [partially] released
 *   exists [→ hget f:h:expire_time]                               with a channel                      unlock refused
 *   (hget f [→ HDEL ×3])* [→ PUBLISH]                             with a channel, no holder           force-unlock
 *   anything else                                                                                     a query
 */
export const GROUP_LOCK: Family = {
  kind: 'group-lock',
  begins: ['exists', 'hget'],
  recognise(run) {
    if (!isGroupValue(run.args.at(-1) ?? '')) return undefined;
    const values = run.args.filter(isGroupValue);
    if (!run.lines.every((line, n) => isOwnLine(line, run, n))) return undefined;
    const holder = run.args.find(isHolder);
    const [, channel] = run.keys;
    if (channel !== undefined && lockOfChannel(channel)) {
      return holder === undefined ? forced(run, values) : unlocked(run, holder, values);
    }
    if (channel !== undefined) return undefined;
    return holder === undefined ? renewedNothing(run, values) : locked(run, holder, values);
  },
};

function isOwnLine({ words }: LineSignal, { names, keys }: ScriptRun, n: number): boolean {
  if (isPublish(names[n])) return true;
  if (words[1] !== keys[0]) return false;
  if (!names[n]?.startsWith('h')) return true;
  return isGroupValue(words[2] ?? '') || parseValueField(words[2] ?? '') !== undefined;
}

function locked(run: ScriptRun, holder: string, values: readonly string[]): Action[] | undefined {
  const { lines, names, keys, shape } = run;
  const [lock = ''] = keys;
  const times = timesOf(run);
  const [first] = lines;
  const last = lines.at(-1);
  if (!first || !last || names[0] !== 'exists') return undefined;
  if (times === undefined) return []; // isHeldByCurrentThread: its arguments have the time, but no lease
  const { leaseMs } = times;
  const changes = changesOf(run, holder, values, times);
  const change = lines.find((_, n) => names[n] === 'hincrby');
  const lease = leaseOf(run);
  if (change) {
    const isNew = names[1] === 'hset';
    return [{ do: 'group-acquire', at: change.at, lock, holder, values: changes, leaseMs, lease, isNew }];
  }
  const field = parseValueField(last.words[2] ?? '');
  if (field && field.holder !== holder) {
    const taken = { value: field.value, heldBy: field.holder };
    return [{ do: 'group-refuse', at: last.at, lock, holder, values, taken }];
  }
  if (names.includes('pttl')) {
    return [{ do: 'group-renew', at: last.at, lock, holder, asked: values, values: changes, leaseMs, lease }];
  }
  const isCutOff = names.at(-1) === 'hset' && isGroupValue(last.words[2] ?? '');
  if (isCutOff) return [{ do: 'group-refuse', at: last.at, lock, holder, values }];
  const moved = changes.filter(({ endsAt }) => endsAt !== null); // the script stops at the first value that is gone
  const missing = shape === 'exists' ? (values[0] ?? '') : (last.words[2] ?? '');
  return [
    { do: 'group-renew', at: last.at, lock, holder, asked: values, values: moved, leaseMs, lease: null, missing },
  ];
}

/** 3.44.0 to 3.45.1 may pass an empty holder: nothing is renewed. */
function renewedNothing(run: ScriptRun, asked: readonly string[]): Action[] {
  const [first] = run.lines;
  const times = run.args.includes('') ? timesOf(run) : undefined;
  if (!first || !times || run.names[0] !== 'exists') return [];
  return [{ do: 'renew-nothing', at: first.at, lock: run.keys[0] ?? '', leaseMs: times.leaseMs, asked }];
}

function unlocked(run: ScriptRun, holder: string, values: readonly string[]): Action[] {
  const { lines, names, keys } = run;
  const [lock = ''] = keys;
  const change = lines.find((_, n) => names[n] === 'hincrby');
  if (!change) {
    const at = lines.at(-1)?.at ?? run.head.at;
    const isFree = names.every((name) => name === 'exists' || isPublish(name));
    return [{ do: 'group-refuse-unlock', at, lock, holder, values, isFree }, ...publications(run)];
  }
  const now = Number(run.args[5]);
  const leaseMs = Number(run.args[2]);
  const changes = changesOf(run, holder, values, { now, leaseMs }).map((each) => ({
    ...each,
    isGone: lines.some(({ words }, n) => names[n] === 'hdel' && words[2] === each.value),
  }));
  const lease = leaseOf(run);
  return [{ do: 'group-release', at: change.at, lock, holder, values: changes, leaseMs, lease }, ...publications(run)];
}

function forced(run: ScriptRun, values: readonly string[]): Action[] {
  const [lock = ''] = run.keys;
  const at = run.lines[0]?.at ?? run.head.at;
  const deleted = values.filter((value) =>
    run.lines.some(({ words }, n) => run.names[n] === 'hdel' && words[2] === value),
  );
  return deleted.length === 0 ? [] : [{ do: 'group-force', at, lock, values: deleted }, ...publications(run)];
}

/**
 * The time by the client's clock and the lease, both in ms: the greater number is the time. Undefined: there is only
 * one.
 */
function timesOf({ args }: ScriptRun): { now: number; leaseMs: number } | undefined {
  const numbers = args.filter((arg) => /^\d{1,17}$/.test(arg)).map(Number);
  const [one, other] = numbers;
  if (one === undefined || other === undefined) return undefined;
  return { now: Math.max(one, other), leaseMs: Math.min(one, other) };
}

/** The new expiry of each value by Redis's clock: the time of the line plus what the client added to its own time. */
function changesOf(
  { lines, names }: ScriptRun,
  holder: string,
  values: readonly string[],
  { now }: { now: number; leaseMs: number },
): ValueChange[] {
  return values.map((value) => {
    const field = `${value}:${holder}:expire_time`;
    const set = lines.find(({ words }, n) => names[n] === 'hset' && words[2] === field);
    return { value, endsAt: set ? endOf(set, now) : null };
  });
}

function endOf({ at, words }: LineSignal, now: number): RedisTime | null {
  const end = Number(words[3]);
  return Number.isFinite(end) && Number.isFinite(now) ? plusMillis(at, end - now) : null;
}

function leaseOf(run: ScriptRun) {
  const line = run.lines.find((_, n) => run.names[n] === 'pexpire');
  return line ? leaseFrom(line, run) : null;
}
