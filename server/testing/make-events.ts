import type { NewEvent } from './memory-observatory.ts';

export function acquired(lock: string, holder: string): NewEvent {
  return { type: 'lock.acquired', lock, holder, mode: 'exclusive', holdCount: 1, leaseMs: 30_000 };
}

export function released(lock: string, holder: string): NewEvent {
  return { type: 'lock.released', lock, holder, mode: 'exclusive', holdCount: 0 };
}
