import type { StageLock, StageRun } from './run.ts';
import type { World } from './world.ts';

/** A server of a replication group, as far as the demo tells. */
export type NodeView = {
  readonly name: string;
  readonly state: 'master' | 'copies' | 'cut-off' | 'killed' | 'promoted';
  /** The master it copies, or did. */
  readonly of: string | null;
};

/** The server a lock of the stage is on now: the one the scenario began with, or the one promoted since. */
export function serverNow({ servers }: StageRun, { promoted }: World, { source }: StageLock): string | null {
  if (source === null) return null;
  return promoted.get(source) ?? servers.find((server) => server.source === source)?.name ?? null;
}

/** Masters and copies, where there are copies. */
export function nodesAt({ servers }: StageRun, world: World): NodeView[] {
  if (servers.every(({ copyOf }) => copyOf === undefined)) return [];
  return servers.map(({ name, copyOf }) => {
    const done = world.servers.get(name);
    const quiet = copyOf === undefined ? 'master' : 'copies';
    const state = done === undefined ? quiet : done === 'link-cut' ? 'cut-off' : done;
    return { name, state, of: copyOf ?? null };
  });
}
