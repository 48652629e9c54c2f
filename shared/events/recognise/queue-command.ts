import type { LineSignal } from '../../signals/signal.ts';
import type { Action } from '../action.ts';
import type { QueueEdit } from '../actions/fair-action.ts';
import { isHolder, lockOfQueueKey, lockOfTimeoutsKey } from '../names/names.ts';

/**
 * An operator's command on the queue of a fair lock; undefined if the command is on another key.
 *
 *   LREM redisson_lock_queue:{L} 0 h        h leaves the queue
 *   LPOP redisson_lock_queue:{L} [n]        the head leaves; with RPOP, the tail
 *   ZREM redisson_lock_timeout:{L} h …      h no longer has a deadline
 *   ZADD redisson_lock_timeout:{L} ms h …   h has another deadline
 *
 * The other commands only show that the queue changed.
 */
export function recogniseQueueCommand({ at, words }: LineSignal): Action[] | undefined {
  const [name = '', key = '', ...args] = words;
  const lock = lockOfQueueKey(key) ?? lockOfTimeoutsKey(key);
  if (lock === undefined) return undefined;
  const command = name.toUpperCase();
  return [{ do: 'queue-edit', at, lock, command, ...changeBy(command, args) }];
}

function changeBy(command: string, args: readonly string[]): Partial<QueueEdit> {
  switch (command) {
    case 'LREM':
      return { removed: args.slice(1).filter(isHolder) };
    case 'LPOP':
    case 'RPOP': {
      const count = Number(args[0] ?? 1);
      return Number.isInteger(count) ? { popped: { end: command === 'LPOP' ? 'head' : 'tail', count } } : {};
    }
    case 'ZREM':
      return { deadlines: args.filter(isHolder).map((holder) => ({ holder, deadline: null })) };
    case 'ZADD':
      return { deadlines: scoresFrom(args) };
    default:
      return {};
  }
}

function scoresFrom(args: readonly string[]): { holder: string; deadline: number }[] {
  if (args.some((word) => /^(NX|XX|GT|LT|INCR)$/i.test(word))) return [];
  return args.flatMap((holder, n) => {
    const deadline = Number(args[n - 1]);
    return isHolder(holder) && Number.isFinite(deadline) ? [{ holder, deadline }] : [];
  });
}
