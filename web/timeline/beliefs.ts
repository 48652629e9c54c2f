import { isOfSource, type LockEvent } from '../../shared/events/event.ts';
import type { LockState } from '../../shared/state/lock-state.ts';
import { reduceLock } from '../../shared/state/reduce.ts';
import type { HoldMark } from './marks.ts';

type Draft = { -readonly [Key in keyof HoldMark]: HoldMark[Key] };

/**
 * Holds that a failover lost, for as long as their holders believe in them: the reducer says who still does.
 *
 *   A   ┃████//┆- - - - - - -┤      lost, until told or the lease would be over
 *   B      //        ┃██████████    holds it in Redis meanwhile
 */
export function beliefsFromEvents(events: readonly LockEvent[]): HoldMark[] {
  if (!events.some(({ type }) => type === 'lock.lost')) return [];
  const marks: Draft[] = [];
  const open = new Map<string, Draft>();
  let lock: LockState | undefined;
  for (const event of events) {
    if (isOfSource(event)) continue;
    lock = reduceLock(lock, event);
    const still = new Set(lock.believers.map(({ id, mode }) => `${id} ${mode}`));
    for (const [key, mark] of open) {
      if (still.has(key)) continue;
      const until = mark.belief?.until;
      mark.to = until != null && until < event.at ? until : event.at;
      mark.endSeq = event.seq;
      open.delete(key);
    }
    if (event.type !== 'lock.lost' || !still.has(`${event.holder} ${event.mode}`)) continue;
    const mark = beliefMark(event);
    marks.push(mark);
    open.set(`${event.holder} ${event.mode}`, mark);
  }
  return marks;
}

function beliefMark({ seq, at, holder, mode, expiresAt }: Extract<LockEvent, { type: 'lock.lost' }>): Draft {
  return {
    kind: 'hold',
    id: `b${seq}`,
    seq,
    endSeq: null,
    holder,
    mode,
    from: at,
    to: null,
    ended: 'lost',
    isOpenStart: true,
    deepest: 1,
    levels: [],
    renewals: 0,
    leaseSetAt: null,
    leaseMs: null,
    token: null,
    permit: null,
    belief: { until: expiresAt ?? null },
  };
}
