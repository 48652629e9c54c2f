import type { LineSignal } from '../../signals/signal.ts';
import { type CommandStep, type ScriptCall, scriptCallFromHead } from '../../signals/step.ts';
import type { Action, Lease } from '../action.ts';
import type { LockKind } from '../event.ts';
import { isHolder, isLatchKey, lockOfChannel } from '../names.ts';
import { scriptVersionOf } from './script-versions.ts';

/**
 * Recognises the scripts of `RedissonLock` and of every lock that keeps its hold in the same hash, in all versions
 * from 3.1 to 4.7, by the commands they ran. Undefined: none of these.
 *
 *   exists L                        → hincrby|hset L h 1 → pexpire   acquired
 *   exists L → hexists L h [→ incr] → hincrby L h 1      → pexpire   re-entered
 *   exists L → hexists L h          → pttl L                         refused
 *   [exists L →] hexists L h → hincrby L h -1 → del L   [→ publish]  released
 *   [exists L →] hexists L h → hincrby L h -1 → pexpire L            partially released
 *   [exists L →] hexists L h                     with a channel      unlock refused
 *   exists L → publish                           with a channel      unlock of a missing lock, told "success"
 *   del L [→ publish]                                                force-unlock, found [or not]
 *   (hexists Li hi [→ pexpire Li])*  one per key                     renewed, or refused for that key
 */
export function recognisePlainLock(step: CommandStep): Action[] | undefined {
  const call = scriptCallFromHead(step.head);
  const lock = call?.keys[0];
  if (!call || lock === undefined || step.inner.length === 0) return undefined;
  const commands = step.inner.filter((line) => !isLatchKey(line.words[1] ?? ''));
  if (commands.length === 0) return [];
  return renewals(call, commands) ?? changesOfHold(call, commands, lock) ?? refusals(call, commands, lock);
}

function renewals(call: ScriptCall, commands: readonly LineSignal[]): Action[] | undefined {
  const count = call.keys.length;
  if (call.args.length !== count + 1) return undefined;
  const actions: Action[] = [];
  let at = 0;
  for (const key of call.keys) {
    const check = commands[at];
    if (!check || nameOf(check) !== 'hexists' || check.words[1] !== key) return undefined;
    const holder = check.words[2] ?? '';
    if (!isHolder(holder)) return undefined;
    const next = commands[at + 1];
    const lease = next && nameOf(next) === 'pexpire' && next.words[1] === key ? leaseFrom(next) : null;
    actions.push({
      do: 'renew',
      at: (lease && next ? next : check).at,
      lock: key,
      kind: 'lock',
      holder,
      lease,
      batch: count,
    });
    at += lease ? 2 : 1;
  }
  if (at !== commands.length) return undefined;
  // A spin lock's refused unlock (before 3.24) looks like one refused renewal: only the script's text tells.
  const isSpinUnlock = scriptVersionOf(call.sha)?.operation === 'spin unlock';
  const [only] = actions;
  if (isSpinUnlock && only?.do === 'renew') {
    if (only.lease) return undefined;
    return [
      {
        do: 'refuse-unlock',
        at: only.at,
        lock: only.lock,
        kind: 'spin-lock',
        holder: only.holder,
        callerSawSuccess: false,
      },
    ];
  }
  return actions;
}

function changesOfHold(call: ScriptCall, commands: readonly LineSignal[], lock: string): Action[] | undefined {
  const index = commands.findIndex((line) => isHoldChange(line, lock));
  const change = commands[index];
  if (!change) return undefined;
  const holder = change.words[2] ?? '';
  const after = commands.slice(index + 1);
  const kind = kindOf(call, commands);
  const mode = 'exclusive';
  const pexpire = after.find((line) => nameOf(line) === 'pexpire' && line.words[1] === lock);
  const lease = pexpire ? leaseFrom(pexpire) : null;
  if (change.words[3] === '-1') {
    const isGone = after.some((line) => nameOf(line) === 'del' && line.words[1] === lock);
    if (isGone) return [{ do: 'release', at: change.at, lock, kind, holder, mode }, ...publications(after)];
    return [{ do: 'release-partly', at: change.at, lock, kind, holder, mode, lease }];
  }
  const isReentry = commands.slice(0, index).some((line) => nameOf(line) === 'hexists' && line.words[1] === lock);
  return [{ do: 'acquire', at: change.at, lock, kind, holder, mode, isReentry, lease }];
}

function refusals(call: ScriptCall, commands: readonly LineSignal[], lock: string): Action[] | undefined {
  const first = commands[0];
  const last = commands.at(-1);
  if (!first || !last) return undefined;
  const names = commands.map(nameOf).join(' ');
  const kind = kindOf(call, commands);
  if (!commands.every((line) => line.words[1] === lock || isPublish(line)))
    return refusedFairAttempt(call, commands, lock);

  const channel = call.keys[1];
  const hasChannel = channel !== undefined && lockOfChannel(channel) !== undefined;
  if (names === 'del' || (names.startsWith('del ') && commands.slice(1).every(isPublish))) {
    if (!hasChannel && !(call.keys.length === 1 && call.args.length === 0)) return undefined;
    return [{ do: 'force-release', at: first.at, lock, kind, isProven: names !== 'del' }, ...publications(commands)];
  }
  if (hasChannel) {
    const holder = commands.find((line) => nameOf(line) === 'hexists')?.words[2] ?? call.args[2] ?? '';
    if (!isHolder(holder)) return undefined;
    if (names === 'hexists' || names === 'exists hexists') {
      return [{ do: 'refuse-unlock', at: last.at, lock, kind, holder, callerSawSuccess: false }];
    }
    if (nameOf(first) === 'exists' && commands.slice(1).every(isPublish) && commands.length > 1) {
      return [
        { do: 'refuse-unlock', at: last.at, lock, kind, holder, callerSawSuccess: true },
        ...publications(commands),
      ];
    }
    return undefined;
  }
  const holder = call.args[1] ?? '';
  if (!isHolder(holder) || nameOf(first) !== 'exists') return undefined;
  const mode = 'exclusive';
  if (names === 'exists hexists pttl') {
    return [{ do: 'refuse', at: last.at, lock, kind, holder, mode, toldAt: last.at, reason: 'held' }];
  }
  if (names === 'exists hexists' || names === 'exists') {
    return [{ do: 'refuse', at: last.at, lock, kind, holder, mode, toldAt: null, reason: 'error' }];
  }
  return undefined;
}

/** A fair attempt that changed no hold: refused, whatever it did to the queue. */
function refusedFairAttempt(call: ScriptCall, commands: readonly LineSignal[], lock: string): Action[] | undefined {
  const kind = kindOf(call, commands);
  const holder = call.args[1] ?? '';
  if (kind !== 'fair-lock' || call.keys.length !== 3 || !isHolder(holder)) return undefined;
  const at = commands.at(-1)?.at;
  if (at === undefined) return undefined;
  return [{ do: 'refuse', at, lock, kind, holder, mode: 'exclusive', toldAt: null, reason: 'held' }];
}

function kindOf(call: ScriptCall, commands: readonly LineSignal[]): LockKind {
  if (call.keys.some((key) => key.startsWith('redisson_lock_queue:'))) return 'fair-lock';
  if (commands.some((line) => nameOf(line) === 'incr' && line.words[1]?.startsWith('redisson_lock_token:'))) {
    return 'fenced-lock';
  }
  return 'lock';
}

function isHoldChange(line: LineSignal, lock: string): boolean {
  const name = nameOf(line);
  if ((name !== 'hincrby' && name !== 'hset') || line.words[1] !== lock) return false;
  if (!isHolder(line.words[2] ?? '')) return false;
  return line.words[3] === '1' || (name === 'hincrby' && line.words[3] === '-1');
}

function leaseFrom(line: LineSignal): Lease | null {
  const ms = Number(line.words[2]);
  return Number.isFinite(ms) ? { setAt: line.at, ms } : null;
}

function isPublish(line: LineSignal): boolean {
  const name = nameOf(line);
  return name === 'publish' || name === 'spublish';
}

function publications(commands: readonly LineSignal[]): Action[] {
  return commands
    .filter(isPublish)
    .map((line) => ({ do: 'publish', at: line.at, channel: line.words[1] ?? '', message: line.words[2] ?? '' }));
}

function nameOf(line: LineSignal): string {
  return (line.words[0] ?? '').toLowerCase();
}
