import type { LineSignal } from '../../signals/signal.ts';
import type { Action } from '../action.ts';
import { holderOfField, isHolder, isWriteField, lockOfChannel, NON_REENTRANT } from '../names/names.ts';
import type { LockKind } from '../types/lock-kind.ts';
import type { Family } from './family.ts';
import { changeOfHold, leaseFrom, publications, strangeHash } from './hold-in-hash.ts';
import { isPublish, type ScriptRun } from './script-run.ts';

/**
 * The scripts of `RedissonLock` in all versions from 3.1 to 4.7. Other locks with a hash of holders share some of them:
 * renewals, unlocks, force-unlocks.
 *
 *   exists L                        → hincrby|hset L h 1 → pexpire   acquired
 *   exists L → hexists L h          → hincrby L h 1      → pexpire   re-entered
 *   exists L → hexists L h          → pttl L                         refused
 *   exists L → hexists L h          [→ ttl L]                        the same by an application's own script
 *   exists L → hexists L h          for a non-reentrant lock (4.4.0) refused by its own hold, with an error
 *   [exists L →] hexists L h → hincrby L h -1 → del L   [→ publish]  released
 *   [exists L →] hexists L h → hincrby L h -1 → pexpire L            partially released
 *   [exists L →] hexists L h                     with a channel      unlock refused
 *   hexists L h          with h as the only argument                 unlock refused, by an application's own script
 *   exists L → publish                           with a channel      unlock of a missing lock, reported as success
 *   del L [→ publish]                                                force-unlock, found [or not]
 *   (hexists Li hi [→ pexpire Li])*  one per key                     renewed, or refused for that key; also a writer's.
 *                                                                    An error at one key skips the keys after it
 *   hexists Li ""                    in a renewal                    renewed nothing: no holder was named
 */
export const PLAIN_LOCK: Family = {
  kind: 'lock',
  begins: ['exists', 'hexists', 'del'],
  recognise: (run) => renewals(run) ?? changeOfHold(run, 'lock') ?? refusals(run) ?? strangeHash(run),
};

function renewals(run: ScriptRun): Action[] | undefined {
  const { keys, args, lines, names } = run;
  if (names[0] !== 'hexists' || !(isCutOff(run) || args.length === keys.length + 1)) return undefined;
  const actions: Action[] = [];
  let index = 0;
  for (const key of keys) {
    const check = lines[index];
    // an error cut the script off
    if (!check && args.slice(1).every((arg) => arg === '' || isHolder(arg) || isWriteField(arg))) break;
    const field = check?.words[2] ?? '';
    const leaseMs = Number(args[0]);
    if (check && field === '' && names[index] === 'hexists' && check.words[1] === key && leaseMs > 0) {
      index++; // 3.44.0 to 3.45.1 may pass an empty holder for a lock, which is then not renewed
      actions.push({ do: 'renew-nothing', at: check.at, lock: key, leaseMs });
      continue;
    }
    const isWrite = isWriteField(field);
    if (!check || names[index] !== 'hexists' || check.words[1] !== key || !(isWrite || isHolder(field)))
      return undefined;
    const hold = isWrite
      ? ({ kind: 'read-write-lock', holder: holderOfField(field), mode: 'write' } as const)
      : ({ kind: 'lock', holder: field } as const);
    const next =
      SETS_LEASE.has(names[index + 1] ?? '') && lines[index + 1]?.words[1] === key ? lines[index + 1] : undefined;
    const lease = next ? leaseFrom(next, run) : null;
    if (!next && !Number.isFinite(leaseMs)) return undefined; // an application's own script, with an unknown purpose
    const when = (lease && next ? next : check).at;
    actions.push({ do: 'renew', at: when, lock: key, ...hold, lease, batch: keys.length });
    index += lease ? 2 : 1;
  }
  return index === lines.length ? actions : undefined;
}

/**
 * In a MONITOR text that a person has shortened, a call may end after its keys. The script's commands still name the
 * holder.
 */
function isCutOff({ args }: ScriptRun): boolean {
  return args.length === 0;
}

/** Redisson uses PEXPIRE; an application's own script may run the same commands with a lease in seconds. */
const SETS_LEASE: ReadonlySet<string> = new Set(['pexpire', 'expire']);

function refusals(run: ScriptRun): Action[] | undefined {
  const { keys, lines, shape } = run;
  const [lock = '', channel] = keys;
  const [first] = lines;
  const last = lines.at(-1);
  if (!first || !last || !lines.every((line, n) => line.words[1] === lock || isPublish(run.names[n]))) return undefined;
  const hasChannel = channel !== undefined && lockOfChannel(channel) !== undefined;
  const kind: LockKind = 'lock';
  switch (shape) {
    case 'del':
    case 'del publish':
    case 'del spublish': {
      if (!hasChannel) return undefined;
      return [{ do: 'force-release', at: first.at, lock, kind, hasFound: shape !== 'del' }, ...publications(run)];
    }
    case 'exists publish':
    case 'exists spublish': {
      const holder = run.args[2] ?? '';
      if (!hasChannel || !isHolder(holder)) return undefined;
      return [{ do: 'refuse-unlock', at: last.at, lock, kind, holder, callerSawSuccess: true }, ...publications(run)];
    }
    case 'hexists':
    case 'exists hexists': {
      const holder = last.words[2] ?? '';
      if (!isHolder(holder)) return undefined;
      if (hasChannel) return [{ do: 'refuse-unlock', at: last.at, lock, kind, holder, callerSawSuccess: false }];
      // without its arguments, this may be a refused renewal, or an attempt that the holder's own hold or an error
      // ended
      if (isCutOff(run)) return undefined;
      if (shape !== 'hexists') return refusedAttempt(run, null, kind, run.args[2] === NON_REENTRANT);
      return isOwnUnlock(run)
        ? [{ do: 'refuse-unlock', at: last.at, lock, kind, holder, callerSawSuccess: false, isHomeMade: true }]
        : undefined;
    }
    case 'exists hexists ttl':
      return hasChannel ? undefined : refusedAttempt(run, null);
    case 'exists hexists pttl':
      return hasChannel ? undefined : refusedAttempt(run, last);
    case 'exists':
      return hasChannel ? undefined : refusedAttempt(run, null);
    default:
      return undefined;
  }
}

/** Whether the only argument is the holder: Redisson's scripts have a lease before it. */
function isOwnUnlock({ keys, args }: ScriptRun): boolean {
  return keys.length === 1 && args.length === 1;
}

/**
 * An attempt that changed nothing. If a script of Redisson read no TTL, an error cut it off, unless the caller's own
 * hold refused it (`isOwnHold`).
 */
export function refusedAttempt(
  run: ScriptRun,
  pttl: LineSignal | null,
  kind: LockKind = 'lock',
  isOwnHold = false,
): Action[] | undefined {
  const [lock = ''] = run.keys;
  const last = run.lines.at(-1);
  // A port of Redisson may have its arguments in another order: then the line that looked for the holder shows it.
  const asked = run.lines[run.names.indexOf('hexists')];
  const holder = [run.args[1], asked?.words[2]].find((word = '') => isHolder(word));
  if (!last || holder === undefined) return undefined;
  const reported = pttl ? ({ by: 'pttl', at: pttl.at } as const) : null;
  const isOther = run.args[0] === holder || run.names.at(-1) === 'ttl';
  const reason = pttl || isOther ? 'held' : isOwnHold ? 'own-hold' : 'error';
  const found = reason === 'error' && run.names.at(-1) === 'hexists' ? ({ isThere: true } as const) : undefined;
  const homeMade = isOther ? ({ isHomeMade: true } as const) : undefined;
  return [
    { do: 'refuse', at: last.at, lock, kind, holder, mode: 'exclusive', reported, reason, ...found, ...homeMade },
  ];
}
