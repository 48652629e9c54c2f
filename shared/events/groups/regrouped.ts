import { eventWith, type LockEvent } from '../event.ts';

/**
 * An earlier event, with the `group` of the later event that names it; without group fields if the later event has
 * none.
 */
export function regrouped(event: LockEvent, { group }: LockEvent): LockEvent {
  if (event.group === group) return event;
  if (group !== undefined) return eventWith(event, { group }, isFixUp(event) ? { groupStep: 'fix-up' } : undefined);
  return ungrouped(event);
}

/** The event without its group. */
export function ungrouped(event: LockEvent): LockEvent {
  const { group: _group, groupSeqs: _seqs, groupStep: _step, groupEnd: _end, ...others } = event;
  const { groupRound: _round, groupSince: _since, ...alone } = others;
  return alone;
}

/** Corrects the events that `by` names in `groupSeqs`, in a list sorted by `seq`; returns those that it found. */
export function regroupIn(list: LockEvent[], by: LockEvent): LockEvent[] {
  const corrected: LockEvent[] = [];
  for (const seq of by.groupSeqs ?? []) {
    const place = placeOf(list, seq);
    const before = list[place];
    if (before?.seq !== seq) continue;
    const after = regrouped(before, by);
    list[place] = after;
    corrected.push(after);
  }
  return corrected;
}

function placeOf(list: readonly LockEvent[], seq: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle]?.seq ?? 0) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether a plain command set the lease. Of such events, operations remember only fix-ups. */
function isFixUp(event: LockEvent): boolean {
  return (event.type === 'lease.renewed' || event.type === 'lease.shortened') && event.cause === 'command';
}
