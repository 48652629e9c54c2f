import type { LineSignal } from '../../signals/signal.ts';
import type { Action } from '../action.ts';
import type { Family } from './family.ts';
import { leaseFrom } from './hold-in-hash.ts';
import type { ScriptRun } from './script-run.ts';
import { countFrom } from './semaphore.ts';

/**
 * The scripts of sidekiq-unique-jobs 8 and 9 with their hash H, which has a field for each job J that holds the lock.
 * They run many other commands, on lists of jobs that are queued, on `uniquejobs:digests` and on a log.
 *
 *   hset H J … [→ pexpire H]           acquired by job J
 *   hexists H J → hlen H               refused: the limit is reached
 *   hlen H → hexists H J               refused, or J has the lock already
 *   hexists H J → hlen H → lpush       J is queued for the lock
 *   hdel H J                           released
 *   unlink … H → zrem                  released by its only holder (8.1), or by another job: the script does not check
 *   hexists H J → lrem|hkeys|hlen      unlock refused
 */
export const UNIQUE_JOBS: Family = {
  kind: 'expirable-semaphore',
  begins: ['hexists', 'hlen', 'unlink', 'lrem', 'llen'],
  recognise(run) {
    const { keys, args, lines, names } = run;
    if (!keys.some((key) => DIGESTS.test(key))) return undefined;
    const lock = keys.find((key) => key.endsWith(':LOCKED')); // applications may choose the prefix
    if (lock === undefined) return undefined;
    const lineOfLock = (name: string) => lines.find(({ words }, n) => names[n] === name && words[1] === lock);
    const added = lineOfLock('hset');
    const [first] = lines;
    const [job = ''] = args;
    if (added) {
      const end = lineOfLock('pexpire');
      const common = { lock, member: added.words[2] ?? '', limit: limitIn(args) };
      return [{ ...common, at: added.at, do: 'hold-member', lease: end ? leaseFrom(end, run) : null }];
    }
    const removed = lineOfLock('hdel');
    if (removed) return [{ at: removed.at, do: 'remove-members', lock, ids: removed.words.slice(2) }];
    if (names[0] === 'unlink') return first && isRelease(run, first, lock) ? release(first, lock, job) : undefined;
    const asked = lineOfLock('hexists');
    if (!asked) return undefined;
    return notHeld(run, { at: asked.at, lock, member: asked.words[2] ?? '' });
  },
};

/** The sorted set of all locks, which each of these scripts has among its keys. */
const DIGESTS = /(?:^|:)uniquejobs:digests$/;

/** An attempt has the limit of its job as its fourth argument, and 9 arguments or more. */
const LEAST_ARGS_OF_ATTEMPT = 9;

function limitIn(args: readonly string[]): number | undefined {
  return args.length < LEAST_ARGS_OF_ATTEMPT ? undefined : countFrom(args[3]);
}

/** A deletion by a person or by the reaper has the same lines, but no job among its 5 arguments. */
function isRelease({ args }: ScriptRun, { words }: LineSignal, lock: string): boolean {
  return args.length >= LEAST_ARGS_OF_ATTEMPT && words.includes(lock);
}

function release({ at }: LineSignal, lock: string, job: string): Action[] {
  return [{ at, do: 'drop-members', lock, member: job }];
}

type MemberFields = { readonly at: LineSignal['at']; readonly lock: string; readonly member: string };

function notHeld({ args, names }: ScriptRun, common: MemberFields): Action[] {
  if (names.includes('lpush')) return [];
  const isUnlock = names.includes('lrem') || names.includes('hkeys') || args.length < LEAST_ARGS_OF_ATTEMPT;
  const count = names.indexOf('hlen');
  if (isUnlock && (count >= 0 || names.includes('hkeys'))) return [{ ...common, do: 'miss-member' }];
  if (isUnlock || count < 0) return [];
  const mayHoldPermit = count < names.indexOf('hexists');
  return [{ ...common, do: 'refuse-member', limit: limitIn(args), mayHoldPermit }];
}
