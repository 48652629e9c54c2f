import { groupedBy } from '../../../shared/base/grouped-by.ts';
import { itemsWithin } from '../../../shared/base/search.ts';
import type { RedisTime } from '../../../shared/base/time.ts';
import { isOfSource, type LockEvent } from '../../../shared/events/event.ts';
import { isCounterKind, isTokenKind } from '../../../shared/events/kinds/kinds.ts';
import { type DenseRun, denseRunsFromEvents, runOfEach } from '../../../shared/spans/dense-runs.ts';
import { type Hold, holdsFromEvents } from '../../../shared/spans/holds-from-events.ts';
import { type QueueStay, queueStaysFromEvents } from '../../../shared/spans/queue-places.ts';
import type { Wait } from '../../../shared/spans/wait.ts';
import { waitsFromEvents } from '../../../shared/spans/waits-from-events.ts';
import type { LockState } from '../../../shared/state/lock-state.ts';
import { stepsOf } from '../../../shared/state/replay/lock-replay.ts';
import { arrowsFromEvents } from './arrows-from-events.ts';
import { beliefsFromSteps } from './beliefs.ts';
import { counterStepsFrom, highestOf } from './counter-steps.ts';
import { type HolderNotes, NoteTracker } from './holder-notes.ts';
import { leasePiecesFrom } from './lease-pieces.ts';
import type { HoldMark, Lane, Permit, PointMark, RunMark, SpanMark, Track, WaitMark } from './marks.ts';
import { holdIds, permitLevels, permitSlots } from './permit-lanes.ts';
import { pointsFromEvent } from './points-from-event.ts';
import { verdictMarksFrom } from './verdict-marks.ts';

type LaneDraft = { holder: string; spans: SpanMark[]; points: PointMark[]; runs: RunMark[] };

/**
 * One lock's events as lanes of marks: a lane for each thread. The holders in `base` come first.
 *
 *   A   ┃███▲███▲██◆            spans: hold          points: renewed, renewed, released
 *   B       ⊗▨▨▨▨▨▨┃████        spans: wait, hold    points: refused
 *
 * Holds and waits come from `shared/spans`, lost holds from `beliefs.ts`. `base` is the state of the lock before the
 * first event: its holds and waits continue, with the times at which they began.
 */
export function trackFromEvents(id: string, events: readonly LockEvent[], base?: LockState): Track {
  const lanes = new Map<string, LaneDraft>();
  const notes = new NoteTracker(base);
  const laneOf = (holder: string): LaneDraft => {
    const lane = lanes.get(holder) ?? { holder, spans: [], points: [], runs: [] };
    lanes.set(holder, lane);
    return lane;
  };
  let named: Pick<LockEvent, 'source' | 'db' | 'lock' | 'kind'> | undefined = base && { ...base, lock: base.name };
  for (const holder of base?.holders ?? []) laneOf(holder.client || holder.id);
  const steps = stepsOf({ base, events });
  const runs = denseRunsFromEvents(events);
  const runOf = runOfEach(runs);
  const holds = holdsFromEvents(events, base);
  const takers = new Map(holds.flatMap(({ holder, taker }) => (taker === undefined ? [] : [[holder, taker] as const])));
  const expiries: RedisTime[] = [];
  for (const event of events) {
    if (!isOfSource(event)) named = event;
    if (!runOf(event)) {
      for (const point of pointsFromEvent(event)) {
        const holder = takers.get(point.holder) ?? point.holder;
        laneOf(holder).points.push(holder === point.holder ? point : { ...point, holder });
        if (point.point === 'expired') expiries.push(point.at);
      }
    }
    notes.take(event);
    if (event.type === 'lock.acquired') laneOf(event.holder);
    if (event.type === 'lock.found') for (const { holder } of event.holders) laneOf(holder);
  }
  for (const run of runs) laneOf(run.holder).runs.push(runMark(run));
  const kind = base && (named?.kind ?? 'lock') === 'lock' ? base.kind : (named?.kind ?? 'lock');
  const isCounter = isCounterKind(kind);
  const permits = isCounter ? permitsOf(holds) : undefined;
  if (isCounter) for (const [holder, levels] of permitLevels(events, base)) notes.of(holder, 'permit').levels = levels;
  const ids = holdIds(holds);
  for (const hold of holds) {
    laneOf(hold.taker ?? hold.holder).spans.push(
      holdMark(
        hold,
        notes.of(hold.holder, hold.mode),
        permits?.get(hold) ?? null,
        ids.get(hold) ?? '',
        !isTokenKind(kind),
      ),
    );
  }
  for (const belief of beliefsFromSteps(steps, base)) laneOf(belief.holder).spans.push(belief);
  const stays = groupedBy(queueStaysFromEvents(events, base), ({ holder }) => holder);
  for (const wait of waitsFromEvents(events, base)) {
    laneOf(wait.holder).spans.push(
      waitMark(
        wait,
        notes.of(wait.holder, wait.mode),
        stays.get(wait.holder)?.find((stay) => isDuring(stay, wait)),
      ),
    );
  }
  for (const lane of lanes.values()) lane.spans.sort((a, b) => a.from - b.from || a.seq - b.seq);

  const { pieces, leaseMs } = isCounter ? { pieces: [], leaseMs: 0 } : leasePiecesFrom(steps, base);
  const counter = isCounter ? counterStepsFrom(steps, base) : [];
  return {
    id,
    source: named?.source ?? '',
    db: named?.db ?? 0,
    name: named?.lock ?? '',
    kind,
    lanes: [...lanes.values()] satisfies Lane[],
    lease: pieces,
    leaseMs,
    counter,
    counterTop: highestOf(counter),
    arrows: arrowsFromEvents(events),
    expiries: expiries.sort((a, b) => a - b),
    verdicts: verdictMarksFrom(events),
    events,
  };
}

function permitsOf(holds: readonly Hold[]): Map<Hold, Permit> {
  const permits = holds.filter(({ until }) => until !== undefined);
  const byTaker = groupedBy(permits, ({ taker, holder }) => taker ?? holder);
  return new Map([...byTaker.values()].flatMap((own) => [...permitSlots(own)]));
}

function isDuring({ places }: QueueStay, { from, to }: Wait): boolean {
  const enteredAt = places[0]?.at ?? 0;
  return enteredAt >= from && (to === null || enteredAt <= to);
}

function runMark({ holder, from, to, attempts, fromSeq, toSeq }: DenseRun): RunMark {
  return { kind: 'run', id: `r${fromSeq}`, seq: fromSeq, endSeq: toSeq, holder, from, to, attempts };
}

/** `isRenewedByThirds`: clients renew this kind of lock each third of its lease. */
function holdMark(
  hold: Hold,
  note: HolderNotes,
  permit: Permit | null,
  id: string,
  isRenewedByThirds: boolean,
): HoldMark {
  const to = hold.to ?? Number.POSITIVE_INFINITY;
  const lease = itemsWithin(note.leases, hold.from, to, timeOf).at(-1);
  return {
    kind: 'hold',
    id,
    seq: hold.fromSeq,
    endSeq: hold.toSeq,
    holder: hold.taker ?? hold.holder,
    mode: hold.mode,
    from: hold.from,
    to: hold.to,
    ended: hold.ended,
    isOpenStart: hold.isOpenStart,
    deepest: hold.deepest,
    levels: itemsWithin(note.levels, hold.from, to, timeOf),
    renewals: (hold.renewalsBefore ?? 0) + hold.renewals.length,
    leaseSetAt: isRenewedByThirds && lease ? lease.at : null,
    leaseMs: lease?.ms ?? null,
    token: itemsWithin(note.tokens, hold.from, to, timeOf)[0]?.token ?? null,
    permit,
  };
}

function waitMark(wait: Wait, note: HolderNotes, stay: QueueStay | undefined): WaitMark {
  return {
    kind: 'wait',
    id: `w${wait.fromSeq}`,
    seq: wait.fromSeq,
    endSeq: wait.toSeq,
    holder: wait.holder,
    mode: wait.mode,
    from: wait.from,
    to: wait.to,
    ended: wait.ended,
    isOpenStart: wait.isOpenStart,
    attempts: wait.attempts,
    stay: stay ?? null,
    asleepFrom: itemsWithin(note.sleeps, wait.from, wait.to ?? Number.POSITIVE_INFINITY, (at) => at)[0] ?? null,
  };
}

function timeOf(note: { at: RedisTime }): number {
  return note.at;
}
