import type { LockEvent } from '../../../shared/events/event.ts';
import { ungrouped } from '../../../shared/events/groups/regrouped.ts';
import type { DemoGroupOperation } from '../../../shared/wire/demo.ts';
import { actorOf, type StageRun } from './run.ts';

const REPORTED = 'told-';
/**
 * `from` is on our clock, event times are on Redis's clock. So an event belongs to a call even if it is dated up to 100
 * ms before it.
 */
const CLOCK_TOLERANCE_MICROS = 100_000;

/** The calls of one thread on the same locks: a lock call and the unlock calls after it. */
type Chain = { readonly id: string; readonly operations: DemoGroupOperation[] };

/** Whether a group was reported by a client of the demo, not inferred from events. */
export function isReportedGroup(id: string): boolean {
  return id.startsWith(REPORTED);
}

/**
 * The events with the groups that the demo's clients report, wherever the events alone do not show a whole group. That
 * happens on a busy machine: the steps of a multi lock are then as far apart as the steps of unrelated locks.
 *
 *   calls     [──── lock ─────────]         [── unlock ──]
 *   events     acquired    refused  released                 60 ms apart: Redis alone shows no group
 */
export function withReportedGroups(
  run: Pick<StageRun, 'cast' | 'groupOperations'>,
  events: readonly LockEvent[],
): readonly LockEvent[] {
  let reported = events;
  for (const chain of chainsFrom(run.groupOperations)) {
    const own = reported.filter((event) => isStep(event) && operationOf(run, chain, event) !== undefined);
    if (isShown(own)) continue;
    const grouped = new Map(groupedAs(run, chain, own).map((event) => [event.seq, event]));
    const inferred = new Set(own.flatMap(({ group = [] }) => group));
    reported = reported.map((event) => {
      const step = grouped.get(event.seq);
      if (step) return step;
      return event.group !== undefined && inferred.has(event.group) ? { ...ungrouped(event), group: chain.id } : event;
    });
  }
  return reported;
}

function chainsFrom(operations: readonly DemoGroupOperation[]): readonly Chain[] {
  const chains: Chain[] = [];
  for (const operation of operations) {
    const { client, thread, does } = operation;
    const last = chains.findLast(({ operations: [first] }) => first?.client === client && first.thread === thread);
    if (does === 'unlock' && last) last.operations.push(operation);
    else chains.push({ id: `${REPORTED}${chains.length + 1}`, operations: [operation] });
  }
  return chains;
}

function isStep({ type }: LockEvent): boolean {
  return type === 'lock.acquired' || type === 'lock.refused' || type === 'lock.released' || type === 'unlock.refused';
}

function operationOf(
  run: Pick<StageRun, 'cast'>,
  { operations }: Chain,
  event: LockEvent,
): DemoGroupOperation | undefined {
  if (!('holder' in event) || event.holder === undefined) return undefined;
  const { client, thread } = actorOf(run, event.holder);
  return operations.find(
    (operation) =>
      operation.client === client &&
      String(operation.thread) === thread &&
      event.at >= operation.from - CLOCK_TOLERANCE_MICROS &&
      (operation.until === null || event.at <= operation.until),
  );
}

/** Whether the events show the whole group by themselves. A single event is not a group yet, so it counts as shown. */
function isShown(own: readonly LockEvent[]): boolean {
  return own.length < 2 || own.every(({ group }) => group !== undefined && group === own[0]?.group);
}

function groupedAs(run: Pick<StageRun, 'cast'>, chain: Chain, own: readonly LockEvent[]): LockEvent[] {
  const held = new Set<string>();
  return own.map((event): LockEvent => {
    const lock = `${event.source} ${event.lock}`;
    const isLocking = operationOf(run, chain, event)?.does === 'lock';
    const member = { ...ungrouped(event), group: chain.id };
    switch (event.type) {
      case 'lock.acquired':
        held.add(lock);
        return member;
      case 'unlock.refused':
        return held.has(lock) ? member : { ...member, groupStep: 'never-held' };
      case 'lock.released':
        held.delete(lock);
        return {
          ...member,
          ...(isLocking && { groupStep: 'roll-back' as const }),
          ...(held.size === 0 && { groupEnd: isLocking ? ('rolled-back' as const) : ('released' as const) }),
        };
      default:
        return member;
    }
  });
}
