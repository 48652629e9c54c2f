import type { LockEvent } from '../event.ts';

/** An event told before, as it is told since a later one named it in `groupSeqs`. */
export function regrouped(event: LockEvent, { group }: LockEvent): LockEvent {
  if (event.group === group) return event;
  if (group !== undefined) return isFixUp(event) ? { ...event, group, groupStep: 'fix-up' } : { ...event, group };
  const { group: _group, groupSeqs: _seqs, groupStep: _step, groupEnd: _end, groupRound: _round, ...alone } = event;
  return alone;
}

/** A lease set by a plain command, of which only those of an operation are remembered. */
function isFixUp(event: LockEvent): boolean {
  return event.type === 'lease.renewed' && event.cause === 'command';
}
