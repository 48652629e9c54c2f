import type { LockState, WaiterState } from '../../../shared/state/lock-state.ts';

/** Who stands in a fair lock's queue, head first. */
export function queueOf(lock: LockState | undefined): readonly WaiterState[] {
  const queued = (lock?.waiters ?? []).filter(({ position }) => position !== null);
  return queued.sort((a, b) => (a.position ?? 0) - (b.position ?? 0));
}

/** How many read, and who writes. */
export function sidesOf(lock: LockState | undefined): { readers: number; writer: string | undefined } {
  const holders = lock?.holders ?? [];
  return {
    readers: holders.filter(({ mode }) => mode === 'read').length,
    writer: holders.find(({ mode }) => mode === 'write')?.id,
  };
}
