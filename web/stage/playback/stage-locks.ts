import type { Demo } from '../../../shared/wire/demo.ts';
import type { StageLock } from '../script/run.ts';

/** The locks on the stage: the locks of the scenario. If the scenario is about another lock, only `lock`. */
export function stageLocks(demo: Pick<Demo, 'lock' | 'locks' | 'servers'>, lock: string): readonly StageLock[] {
  const servers = (demo.servers ?? []).filter(({ copyOf }) => copyOf === undefined);
  if (demo.lock !== lock) return [{ name: lock, source: null }];
  if (servers.length > 0) return servers.map(({ source }) => ({ name: lock, source }));
  return (demo.locks ?? [lock]).map((name) => ({ name, source: null }));
}
