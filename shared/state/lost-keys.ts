import type { RedisTime } from '../base/time.ts';
import type { EventType } from '../events/event.ts';
import type { LockState } from './lock-state.ts';

/** How a lock may lose its key other than by its own scripts. */
export const KEY_LOSSES = ['deleted', 'evicted', 'flushed'] as const;
type KeyLoss = { readonly at: RedisTime; readonly by: (typeof KEY_LOSSES)[number] };

const LOSSES: Partial<Record<EventType, KeyLoss['by']>> = {
  'lock.deleted': 'deleted',
  'lock.evicted': 'evicted',
  'db.flushed': 'flushed',
};

/** How a lock lost its key, if it has not been held since. Undefined: it did not lose its key, or that was not seen. */
export function lossOf({ freed, holders }: LockState): KeyLoss | undefined {
  const by = freed && holders.length === 0 ? LOSSES[freed.by] : undefined;
  return freed && by ? { at: freed.at, by } : undefined;
}

/** Whether connections still listen for the release of a lock whose key was lost: no message will come. */
export function isLeftListening(lock: LockState): boolean {
  return (lock.subscribers ?? 0) > 0 && lossOf(lock) !== undefined;
}
