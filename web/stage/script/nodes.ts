import type { StageLock, StageRun } from './run.ts';
import type { World } from './world.ts';

/** A server of a replication group, as the demo reports it. */
export type NodeView = {
  readonly name: string;
  readonly state: 'master' | 'copies' | 'cut-off' | 'killed' | 'promoted';
  /** The master it replicates, or replicated before a fault; null for a master. */
  readonly of: string | null;
};

/** The name of the server a lock is on now: the original master, or the promoted one. Null: the demo's own Redis. */
export function serverNow({ servers }: StageRun, { promoted }: World, { source }: StageLock): string | null {
  if (source === null) return null;
  return promoted.get(source) ?? servers.find((server) => server.source === source)?.name ?? null;
}

/** All servers of the scenario; empty if there are no replicas. */
export function nodesAt({ servers }: StageRun, world: World): NodeView[] {
  if (servers.every(({ copyOf }) => copyOf === undefined)) return [];
  return servers.map(({ name, copyOf }) => {
    const done = world.servers.get(name);
    const quiet = copyOf === undefined ? 'master' : 'copies';
    const state = done === undefined ? quiet : done === 'link-cut' ? 'cut-off' : done;
    return { name, state, of: copyOf ?? null };
  });
}
