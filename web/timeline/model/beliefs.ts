import type { BelieverState, LockState } from '../../../shared/state/lock-state.ts';
import type { LockStep } from '../../../shared/state/replay/lock-replay.ts';
import type { HoldMark } from './marks.ts';

/** A hold mark that later events may still change. */
export type HoldDraft = { -readonly [Key in keyof HoldMark]: HoldMark[Key] };

/**
 * Holds that a failover or a restart of Redis lost, for as long as their holders still think they hold the lock. The
 * reducer decides how long.
 *
 *   A   ┃████//┆- - - - - -┤      lost, until A learns of it or the lease would end
 *   B      //        ┃██████████    holds it in Redis
 *
 * `steps` are the events, each with the lock after it. `base` is the lock before the first event.
 */
export function beliefsFromSteps(steps: readonly LockStep[], base?: LockState): HoldMark[] {
  const believers = base?.believers ?? [];
  if (believers.length === 0 && !steps.some(({ event }) => event.type === 'lock.lost')) return [];
  const open = new Map(believers.map((each) => [`${each.id} ${each.mode}`, beliefMark(each)]));
  const marks = [...open.values()];
  for (const { event, lock } of steps) {
    if (!lock) continue;
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

/** The mark of a hold that Redis lost, whose holder still thinks it holds the lock. */
export function beliefMark({ id, mode, lostAt, until, lostSeq: seq = 0 }: BelieverState): HoldDraft {
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
