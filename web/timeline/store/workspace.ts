import { createContext, useContext, useSyncExternalStore } from 'react';
import type { LiveStore } from '../../data/live-store.ts';
import { RowCache, type Rows } from '../layout/row-cache.ts';
import { TimelineActions } from './actions.ts';
import type { TimelineState } from './timeline-state.ts';
import { TimelineStore } from './timeline-store.ts';

/** What one timeline works with. It outlives its page: coming back shows what was there before. */
export type Workspace = {
  readonly timeline: TimelineStore;
  readonly rows: RowCache;
  readonly actions: TimelineActions;
};

const desks = new WeakMap<LiveStore, Workspace>();

/** The desk that belongs to a live store. */
export function workspaceOf(live: LiveStore): Workspace {
  const known = desks.get(live);
  if (known) return known;
  const timeline = new TimelineStore(live);
  const rows = new RowCache(timeline);
  const workspace = { timeline, rows, actions: new TimelineActions(timeline, rows) };
  desks.set(live, workspace);
  return workspace;
}

export const WorkspaceContext = createContext<Workspace | null>(null);

/** The desk of this page. */
export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext);
  if (!workspace) throw new Error('no timeline above this component');
  return workspace;
}

/** One part of what the reader chose; renders again only when that part changed. */
export function useTimeline<T>(select: (state: TimelineState) => T): T {
  const { timeline } = useWorkspace();
  return useSyncExternalStore(timeline.subscribe, () => select(timeline.get()));
}

/** The rows of the picture; renders again when there are others. */
export function useRows(): Rows {
  const { timeline, rows } = useWorkspace();
  return useSyncExternalStore(timeline.subscribe, rows.get);
}

/** Rises with every change of the history. */
export function useHistoryVersion(): number {
  const { timeline } = useWorkspace();
  return useSyncExternalStore(timeline.subscribe, () => timeline.history.version);
}
