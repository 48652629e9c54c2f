import { isOfSource, type LockEvent } from '../../../shared/events/event.ts';
import type { BelieverState, LockState } from '../../../shared/state/lock-state.ts';
import { reduceLock } from '../../../shared/state/reduce.ts';
import type { HoldMark } from './marks.ts';

type Draft = { -readonly [Key in keyof HoldMark]: HoldMark[Key] };

/**
 * Holds that a failover lost, for as long as their holders still think they hold them. The reducer decides how long.
 *
 *   A   ┃████//┆- - - - - - -┤      lost, until A learns of it or the lease would end
 *   B      //        ┃██████████    holds it in Redis
 *
 * `base` is the state of the lock before the first event.
 */
export function beliefsFromEvents(events: readonly LockEvent[], base?: LockState): HoldMark[] {
  const believers = base?.believers ?? [];
  if (believers.length === 0 && !events.some(({ type }) => type === 'lock.lost')) return [];
  const open = new Map(believers.map((each) => [`${each.id} ${each.mode}`, beliefMark(each)]));
  const marks = [...open.values()];
  let lock = base;
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
    const { holder: id, at: lostAt, seq: lostSeq, expiresAt: until = null, mode } = event;
    const mark = beliefMark({ id, mode, since: null, lostAt, until, lostSeq });
    marks.push(mark);
    open.set(`${event.holder} ${event.mode}`, mark);
  }
  return marks;
}

function beliefMark({ id, mode, lostAt, until, lostSeq: seq = 0 }: BelieverState): Draft {
  return {
    kind: 'hold',
    id: `b${seq}`,
    seq,
    endSeq: null,
    holder: id,
    mode,
    from: lostAt,
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
    belief: { until },
  };
}
