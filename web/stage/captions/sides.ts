import type { LockState, WaiterState } from '../../../shared/state/lock-state.ts';

/** The waiters in a fair lock's queue, head first. */
export function queueOf(lock: LockState | undefined): readonly WaiterState[] {
  const queued = (lock?.waiters ?? []).filter(({ position }) => position !== null);
  return queued.sort((a, b) => (a.position ?? 0) - (b.position ?? 0));
}

/** The number of read holds, and the holder of the write hold. */
export function sidesOf(lock: LockState | undefined): { readers: number; writer: string | undefined } {
  const holders = lock?.holders ?? [];
  return {
    readers: holders.filter(({ mode }) => mode === 'read').length,
    writer: holders.find(({ mode }) => mode === 'write')?.id,
  };
}
