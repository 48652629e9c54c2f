import { type Millis, millisBetween } from '../../base/time.ts';
import type { LineSignal } from '../../signals/signal.ts';
import type { Action } from '../action.ts';
import { redisMillis } from '../libraries/redis-millis.ts';
import { isLockName } from '../libraries/token-found.ts';
import { isDerivedFrom, isHolder, lockOfChannel } from '../names/names.ts';
import type { Lease } from '../types/lease.ts';
import type { LockKind } from '../types/lock-kind.ts';
import { isPublish, type ScriptRun } from './script-run.ts';

/*
 * What all locks with a hash of holders and counts have in common.
 */

/**
 * The change of a hold that a script made in the hash at its first key; undefined if it made none.
 *
 *   hincrby|hset L h 1  [→ pexpire L]      acquired, or re-entered if `hexists L` came before. `expire L`: not by Redisson
 *   hincrby L h -1 → del L [→ publish]     released       unlink L, hdel L h: the same in an application's own script
 *   hincrby L h -1 → pexpire L             partially released
 */
export function changeOfHold(run: ScriptRun, kind: LockKind): Action[] | undefined {
  const { lines, names } = run;
  const [lock = ''] = run.keys;
  for (let n = 0; n < lines.length; n++) {
    const change = lines[n];
    if (!change || !isHoldChange(change, names[n], lock)) continue;
    const { at } = change;
    const holder = change.words[2] ?? '';
    const { lease, inSeconds } = leaseAfter(run, n, lock);
    if (change.words[3] !== '-1') {
      const isReentry = isAskedBefore(run, n, lock);
      return [{ do: 'acquire', at, lock, kind, holder, mode: 'exclusive', isReentry, lease, ...inSeconds }];
    }
    return isDeletedAfter(run, n, lock, holder)
      ? [{ do: 'release', at, lock, kind, holder, mode: 'exclusive' }, ...publications(run, n)]
      : [{ do: 'release-partly', at, lock, kind, holder, mode: 'exclusive', lease }];
  }
  return undefined;
}

/** The messages that a script published, from its line `from` on. */
export function publications(run: ScriptRun, from = 0): Action[] {
  const actions: Action[] = [];
  const [lock = ''] = run.keys;
  for (let n = from; n < run.lines.length; n++) {
    const line = run.lines[n];
    if (!line || !isPublish(run.names[n])) continue;
    const [, channel = '', message = ''] = line.words;
    const isShared = lock.startsWith('{') && isDerivedFrom(lock, lockOfChannel(channel)?.name);
    actions.push({ do: 'publish', at: line.at, channel, message, ...(isShared ? { lock } : undefined) });
  }
  return actions;
}

/**
 * The lease that a `pexpire` or `expire` line of a script sets; null if Redis rejects the time. If the time is negative
 * or 0, Redis deletes the key.
 */
export function leaseFrom({ words, at }: LineSignal, { head }: Pick<ScriptRun, 'head'>): Lease | null {
  const read = redisMillis(words[2] ?? '', isInSeconds(words[0]) ? 1000 : 1, at);
  if (read === undefined) return null;
  const ms = Math.max(0, read);
  const earlierBy = millisBetween(head.at, at);
  return earlierBy < SHORT_SCRIPT ? { setAt: at, ms } : { setAt: at, ms, earlierBy };
}

/**
 * Redis may be interrupted between a command and its line. In a script that takes less than this, that makes no
 * difference.
 */
const SHORT_SCRIPT: Millis = 20;

function isHoldChange(line: LineSignal, name: string | undefined, lock: string): boolean {
  if ((name !== 'hincrby' && name !== 'hset') || line.words[1] !== lock) return false;
  const change = line.words[3];
  return (change === '1' || (change === '-1' && name === 'hincrby')) && isHolder(line.words[2] ?? '');
}

const isInSeconds = (command: string | undefined) => command?.toLowerCase() === 'expire';

type LeaseSet = { readonly lease: Lease | null; readonly inSeconds?: { readonly isHomeMade: true } };

/** Redisson sets every lease in milliseconds: a script that does so in seconds is an application's own. */
function leaseAfter(run: ScriptRun, from: number, lock: string): LeaseSet {
  const { lines, names } = run;
  for (let n = from + 1; n < lines.length; n++) {
    const line = lines[n];
    if (!line || line.words[1] !== lock) continue;
    if (names[n] === 'pexpire') return { lease: leaseFrom(line, run) };
    if (names[n] === 'expire') return { lease: leaseFrom(line, run), inSeconds: { isHomeMade: true } };
  }
  return { lease: null };
}

function isAskedBefore({ lines, names }: ScriptRun, to: number, lock: string): boolean {
  for (let n = 0; n < to; n++) if (names[n] === 'hexists' && lines[n]?.words[1] === lock) return true;
  return false;
}

function isDeletedAfter({ lines, names }: ScriptRun, from: number, lock: string, holder: string): boolean {
  for (let n = from + 1; n < lines.length; n++) {
    const { words = [] } = lines[n] ?? {};
    if (words[1] !== lock) continue;
    if (names[n] === 'del' || names[n] === 'unlink') return true;
    if (names[n] === 'hdel' && words.indexOf(holder, 2) > 0) return true;
  }
  return false;
}

/** The commands of an acquisition or a release by an application's own script. */
const OWN_FORMS = /^(?:exists hexists hincrby p?expire|hexists hincrby del)$/;
/**
 * Scripts of counters and records begin in this form, too: it is a lock's script only if the key is named like a lock.
 */
const BEGINNING = /^(?:exists|hget) (?:hincrby|hset|hmset|hsetnx) p?expire$/;

/**
 * Acquisitions and releases by an application's own script, for holders with other names than Redisson's, for example
 * `web-1:17`. The holder is not known, because such a hash may have any fields. Undefined: any other script.
 */
export function strangeHash({ keys, args, lines, shape }: ScriptRun): Action[] | undefined {
  const [key = ''] = keys;
  const [, , field = '', value = ''] = lines.findLast(({ words }) => /^h/i.test(words[0] ?? ''))?.words ?? [];
  const [first] = lines;
  const isGiven = [...args, ...keys.slice(1)].some((word) => word === field || word === value);
  const isOfHolder = isGiven && lines.every(({ words }) => words[1] === key);
  const isForm = OWN_FORMS.test(shape) || (BEGINNING.test(shape) && isLockName(key));
  if (!first || !isForm || !isOfHolder) return undefined;
  return [
    { at: first.at, do: 'may-change', key },
    { at: first.at, do: 'strange-lock', key, form: 'hash-field' },
  ];
}
