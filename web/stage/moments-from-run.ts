import { plusMillis, type RedisTime, redisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { clientOf } from '../../shared/events/names.ts';
import type { DemoFault } from '../../shared/wire/demo.ts';
import { hasWatchdog, lockOfEvent, type StageRun } from './run.ts';
import { EMPTY_WORLD, lookingAt, type World, worldAfter } from './world.ts';

/** One thing that happened, or that did not happen though it was due. Times never fall from one to the next. */
export type Moment = { readonly id: string; readonly at: RedisTime } & (
  | { readonly kind: 'event'; readonly event: LockEvent }
  | { readonly kind: 'fault'; readonly fault: DemoFault }
  | { readonly kind: 'overdue'; readonly holder: string; readonly leaseMs: number }
);

/** A moment with the world before and after it; both look at the lock it is about. */
export type Told = { readonly moment: Moment; readonly before: World; readonly after: World };

/**
 * Events and faults in one line, and between them the refills that did not come:
 *
 *   events   acquired   renewed ·····················  expired
 *   faults                   killed
 *   overdue                        ▲ a third of the lease after it was last set
 *
 * What is told never changes when more events come, except for a refill that comes late after all.
 */
export function momentsFrom(run: StageRun): Told[] {
  const told: Told[] = [];
  let world = EMPTY_WORLD;
  let last = run.from;
  const tell = (moment: Moment) => {
    const lock = moment.kind === 'event' ? lockOfEvent(run, moment.event) : null;
    const before = lookingAt(world, lock);
    const after = worldAfter(before, moment, lock);
    told.push({ moment, before, after });
    world = after;
    last = moment.at;
  };
  const tellOverdueUntil = (at: number) => {
    const due = overdueIn(run, world);
    if (due && due.at < at) tell({ ...due, at: redisTime(Math.max(due.at, last)) });
  };
  const faults = run.faults.filter((fault) => fault.at >= run.from);
  let next = 0;
  for (const event of run.events) {
    for (let fault = faults[next]; fault && fault.at < event.at; fault = faults[++next]) {
      tellOverdueUntil(fault.at);
      tell(faultMoment(fault, next, last));
    }
    tellOverdueUntil(event.at);
    tell({ kind: 'event', id: `e${event.seq}`, at: redisTime(Math.max(event.at, last)), event });
  }
  for (let fault = faults[next]; fault; fault = faults[++next]) {
    tellOverdueUntil(fault.at);
    tell(faultMoment(fault, next, last));
  }
  tellOverdueUntil(Number.POSITIVE_INFINITY);
  return told;
}

function faultMoment(fault: DemoFault, n: number, last: RedisTime): Moment {
  return { kind: 'fault', id: `f${n}`, at: redisTime(Math.max(fault.at, last)), fault };
}

/** The refill that a dead or frozen client owes next, unless it was told. */
function overdueIn(run: StageRun, world: World): (Moment & { kind: 'overdue' }) | null {
  for (const lock of world.locks.values()) {
    const { leaseMs } = lock;
    if (leaseMs === null || !hasWatchdog(run, leaseMs)) continue;
    for (const { id: holder, leaseSetAt } of lock.holders) {
      if (leaseSetAt === null || !world.stopped.has(clientOf(holder))) continue;
      const id = `o${leaseSetAt}`;
      if (world.overdueTold.has(id)) continue;
      return { kind: 'overdue', id, at: plusMillis(leaseSetAt, leaseMs / 3), holder, leaseMs };
    }
  }
  return null;
}
