import type { LockKind } from '../../../shared/events/types/lock-kind.ts';
import type { LockState } from '../../../shared/state/lock-state.ts';
import { reduceLock } from '../../../shared/state/reduce.ts';
import type { Holder, Lock } from '../../../shared/wire/locks/lock.ts';
import { lockView, UNKNOWN_PRESENCE } from '../../../shared/wire/locks/lock-view.ts';
import { holderOf, seconds, story } from '../../../testing/stories/story.ts';

/** Each kind of lock that can be released by force, with the mode of its holder. */
export const RELEASABLE: readonly (readonly [kind: LockKind, mode: Holder['mode']])[] = [
  ['lock', 'exclusive'],
  ['fenced-lock', 'exclusive'],
  ['spin-lock', 'exclusive'],
  ['fair-lock', 'exclusive'],
  ['read-write-lock', 'read'],
  ['read-write-lock', 'write'],
  ['token-lock', 'exclusive'],
];

/** The commands by which a holder acquires a lock instead of the previous holder. */
export function takenBy(actor: string, kind: LockKind, mode: Holder['mode'], name = 'x'): string[][] {
  const id = holderOf(actor);
  const fields = mode === 'exclusive' ? [id, '1'] : ['mode', mode, mode === 'write' ? `${id}:write` : id, '1'];
  const take = kind === 'token-lock' ? ['SET', name, id] : ['HSET', name, ...fields];
  return [['DEL', name], take, ['PEXPIRE', name, '30000']];
}

/** Whether `actor` is the only holder of `x`. */
export async function isHeldBy(
  actor: string,
  call: (...words: [string, ...string[]]) => Promise<unknown>,
  [kind, mode]: readonly [LockKind, Holder['mode']],
): Promise<boolean> {
  if (kind === 'token-lock') return (await call('GET', 'x')) === holderOf(actor);
  const fields = (await call('HKEYS', 'x')) as string[]; // the reply to HKEYS
  const own = mode === 'write' ? `${holderOf(actor)}:write` : holderOf(actor);
  return fields.filter((field) => field !== 'mode').join() === own;
}

/** The lock `x`, held by A, as Lockscope shows it. */
export function shownLock(kind: LockKind = 'lock', mode: Holder['mode'] = 'exclusive'): Lock {
  const events = story('x lease 30s\n0.000 A attempts acquired');
  const state = events.reduce<LockState | undefined>((lock, event) => reduceLock(lock, event), undefined);
  if (!state) throw new Error('no lock');
  const lock = lockView(state, seconds(1), UNKNOWN_PRESENCE);
  return { ...lock, kind, holders: lock.holders.map((holder) => ({ ...holder, mode })) };
}
