import { redisTime } from '../../../shared/base/time.ts';
import { clientOf } from '../../../shared/events/names/names.ts';
import { renewalDueAt } from '../../../shared/insights/renewals.ts';
import { groupsAfter } from './groups.ts';
import type { Moment } from './moment.ts';
import { hasWatchdog, lockOfEvent, type StageRun } from './run.ts';
import { EMPTY_WORLD, type World, withCurrentLock, worldAfter } from './world.ts';

/** A moment with the world before and after it. The current lock of each world is the moment's lock. */
export type MomentChange = { readonly moment: Moment; readonly before: World; readonly after: World };

/**
 * Events, faults and reports of clients in one order, with the missing renewals:
 *
 *   events   acquired   renewed ·····················  expired
 *   faults                   killed
 *   overdue                        ▲ a third of the lease after it was last set
 *
 * Later events never change earlier moments, except that an overdue renewal is removed if it arrives after all.
 */
export function momentsFrom(run: StageRun): MomentChange[] {
  const changes: MomentChange[] = [];
  const bySeq = new Map(run.events.map((event) => [event.seq, event]));
  let world = EMPTY_WORLD;
  let last = run.from;
  const add = (moment: Moment) => {
    const lock = moment.kind === 'event' ? lockOfEvent(run, moment.event) : null;
    const before = withCurrentLock(world, lock);
    const then = worldAfter(before, moment, lock);
    const groups = moment.kind === 'event' ? groupsAfter(run, then.groups, moment.event, bySeq) : then.groups;
    const after = groups === then.groups ? then : { ...then, groups };
    changes.push({ moment, before, after });
    world = after;
    last = moment.at;
  };
  const addOverdueUntil = (at: number) => {
    const due = overdueIn(run, world);
    if (due && due.at < at) add({ ...due, at: redisTime(Math.max(due.at, last)) });
  };
  const demoMoments = demoMomentsOf(run);
  let next = 0;
  const addDemoMomentsUntil = (at: number) => {
    for (let demoMoment = demoMoments[next]; demoMoment && demoMoment.at < at; demoMoment = demoMoments[++next]) {
      addOverdueUntil(demoMoment.at);
      add({ ...demoMoment, at: redisTime(Math.max(demoMoment.at, last)) });
    }
  };
  for (const event of run.events) {
    addDemoMomentsUntil(event.at);
    addOverdueUntil(event.at);
    add({ kind: 'event', id: `e${event.seq}`, at: redisTime(Math.max(event.at, last)), event });
  }
  addDemoMomentsUntil(Number.POSITIVE_INFINITY);
  addOverdueUntil(Number.POSITIVE_INFINITY);
  return changes;
}

/** The moments that Redis does not show: faults of clients and servers, and reports of clients. Oldest first. */
function demoMomentsOf(run: StageRun): Moment[] {
  const faults = run.faults.filter(({ at }) => at >= run.from);
  const clientReports = run.clientReports.filter(({ at }) => at >= run.from);
  const servers = run.serverFaults.filter(({ at }) => at >= run.from);
  return [
    ...faults.map((fault, n): Moment => ({ kind: 'fault', id: `f${n}`, at: redisTime(fault.at), fault })),
    ...clientReports.map(
      (report, n): Moment => ({ kind: 'client-report', id: `t${n}`, at: redisTime(report.at), report }),
    ),
    ...servers.map((fault, n): Moment => ({ kind: 'server', id: `s${n}`, at: redisTime(fault.at), fault })),
  ].sort((a, b) => a.at - b.at);
}

/** A renewal that is due from a stopped client, now or later, and is not a moment yet; null: there is none. */
function overdueIn(run: StageRun, world: World): (Moment & { kind: 'overdue' }) | null {
  for (const lock of world.locks.values()) {
    const { leaseMs } = lock;
    if (leaseMs === null || !hasWatchdog(run, leaseMs)) continue;
    for (const { id: holder, leaseSetAt } of lock.holders) {
      const at = renewalDueAt({ leaseSetAt, leaseMs });
      if (at === null || !world.stopped.has(clientOf(holder))) continue;
      const id = `o${leaseSetAt}`;
      if (world.overdueReported.has(id)) continue;
      return { kind: 'overdue', id, at, holder, leaseMs };
    }
  }
  return null;
}
