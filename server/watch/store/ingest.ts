import type { LockEvent } from '../../../shared/events/event.ts';
import { regrouped } from '../../../shared/events/groups/regrouped.ts';
import { idOf, lockIdOf } from '../../../shared/state/lock-state.ts';
import { locksOf } from '../answers/client-page.ts';
import type { Memory } from '../history/memory.ts';
import type { ObservedBatch } from '../terms/observed-batch.ts';

/** What one batch of events did to the memory. */
type Changes = Pick<ObservedBatch, 'fromSeq' | 'toSeq' | 'events' | 'changed' | 'gone'>;

/**
 * Adds events that arrived together to the memory, in order, with the `seq` of the process. `isAgain`: they were in a
 * memory before, so they have their letters and groups.
 */
export function ingest(memory: Memory, arrived: readonly LockEvent[], isAgain = false): Changes {
  const { history, wanted, clientStates, serverStates, letters, trends, outlines, watchLog, blind, world, groups } =
    memory;
  const fromSeq = history.nextSeq();
  const changed = new Set<string>();
  const gone = new Set<string>();
  const events: LockEvent[] = [];
  const met = new Set<string>();
  /** Clients that were seen to be late: nothing is shown differently, but the detectors look at their locks again. */
  const late = new Set<string>();
  /** Free locks that are shown differently, because their source is watched again, or no longer watched. */
  const restated = new Set<string>();

  /** Corrects the group of earlier events: they belong together with this one, or turn out not to. */
  function regroup(by: LockEvent): void {
    for (const seq of by.groupSeqs ?? []) {
      const before = history.get(seq);
      if (!before) continue;
      const after = regrouped(before, by);
      history.amend(after);
      wanted.amend(after);
      if (seq >= fromSeq) events[seq - fromSeq] = after;
      const holder = 'holder' in after ? after.holder : undefined;
      const id = holder === undefined ? undefined : world.regroup(lockIdOf(after), holder, by.group);
      if (id !== undefined) changed.add(id);
    }
  }

  for (const found of arrived) {
    const id = lockIdOf(found);
    const lock = world.get(id);
    const event = isAgain ? found : letters.named(groups.take(found), id, lock);
    history.add(event, lock);
    wanted.take(event);
    events.push(event);
    if (event.groupSeqs) regroup(event);
    const clients = clientStates.take(event);
    for (const client of clients.shown) met.add(client);
    if (clients.late !== undefined) late.add(clients.late);
    serverStates.take(event);
    const effect = world.apply(event, id);
    trends.take(event, world);
    outlines.take(event, id, world.get(id));
    watchLog.take(event);
    if (blind.take(event)) {
      for (const busy of world.busy()) if (busy.source === event.source) changed.add(idOf(busy));
      for (const free of world.free()) if (free.source === event.source) restated.add(idOf(free));
    }
    if (effect.changed !== undefined) {
      changed.add(effect.changed);
      gone.delete(effect.changed);
    }
    for (const evicted of effect.evicted) {
      letters.forget(evicted);
      gone.add(evicted);
      changed.delete(evicted);
    }
  }
  if (met.size > 0) {
    for (const id of locksOf(world, met)) changed.add(id);
  }
  memory.locksChanged([...changed, ...gone, ...(late.size > 0 ? locksOf(world, late) : [])]);
  memory.changes.client([...met, ...late]);
  for (const id of restated) if (!gone.has(id)) changed.add(id);
  return { fromSeq, toSeq: history.nextSeq() - 1, events, changed: [...changed], gone: [...gone] };
}
