import type { LockEvent } from '../../../shared/events/event.ts';
import type { Demo } from '../../../shared/wire/demo.ts';
import type { TimelineHistory } from '../../timeline/history/history.ts';
import { lockOfId, type StageLock } from '../script/run.ts';

/** The locks on the stage: those of the scenario, or `lock` alone if the scenario is about another lock. */
export function stageLocks(demo: Pick<Demo, 'lock' | 'locks' | 'servers'>, lock: string): readonly StageLock[] {
  const servers = (demo.servers ?? []).filter(({ copyOf }) => copyOf === undefined);
  if (demo.lock !== lock) return [{ name: lock, source: null }];
  if (servers.length > 0) return servers.map(({ source }) => ({ name: lock, source }));
  return (demo.locks ?? [lock]).map((name) => ({ name, source: null }));
}

/**
 * The events of these locks, in order of `seq`. If they are on several servers, in order of time: the demo's servers
 * run on one machine and have the same clock. A lock without a source is the first one found with its name.
 */
export function eventsOf(history: TimelineHistory, locks: readonly StageLock[]): readonly LockEvent[] {
  const ids = [...history.lockIds()];
  const found = locks.flatMap((lock) => ids.find((id) => lockOfId({ locks: [lock] }, id) !== undefined) ?? []);
  const [only] = found;
  if (only === undefined) return [];
  if (found.length === 1) return history.eventsOf(only);
  const bySeq = new Map(found.flatMap((id) => history.eventsOf(id).map((event) => [event.seq, event])));
  const hasServers = new Set(locks.map(({ source }) => source)).size > 1;
  return [...bySeq.values()].sort((a, b) => (hasServers ? a.at - b.at || a.seq - b.seq : a.seq - b.seq));
}
