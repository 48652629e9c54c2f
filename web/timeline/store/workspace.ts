import { createContext, useContext, useSyncExternalStore } from 'react';
import type { LiveStore } from '../../data/live/live-store.ts';
import { TimelineActions } from './actions.ts';
import { RowCache, type Rows } from './row-cache.ts';
import type { TimelineState } from './timeline-state.ts';
import { TimelineStore } from './timeline-store.ts';

/** The store, rows and actions of one timeline. It outlives its page: returning to the page shows the same view. */
export type Workspace = {
  readonly timeline: TimelineStore;
  readonly rows: RowCache;
  readonly actions: TimelineActions;
};

const workspaces = new WeakMap<LiveStore, Workspace>();

/** The workspace of a live store; created on the first call. */
export function workspaceOf(live: LiveStore): Workspace {
  const known = workspaces.get(live);
  if (known) return known;
  const timeline = new TimelineStore(live);
  const rows = new RowCache(timeline);
  const workspace = { timeline, rows, actions: new TimelineActions(timeline, rows) };
  workspaces.set(live, workspace);
  return workspace;
}

export const WorkspaceContext = createContext<Workspace | null>(null);

/** The workspace of this page. Throws outside a `WorkspaceContext`. */
export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext);
  if (!workspace) throw new Error('no WorkspaceContext above this component');
  return workspace;
}

/** One part of the timeline's state. The component renders again only when that part changes. */
export function useTimeline<T>(select: (state: TimelineState) => T): T {
  const { timeline } = useWorkspace();
  return useSyncExternalStore(timeline.subscribe, () => select(timeline.get()));
}

/** Whether several locks are shown: then the letters of their threads are not. */
export function useHasSeveralLocks(): boolean {
  const { timeline } = useWorkspace();
  return useTimeline(() => timeline.hasSeveralLocks());
}

/** The rows of the picture. The component renders again when they change. */
export function useRows(): Rows {
  const { timeline, rows } = useWorkspace();
  return useSyncExternalStore(timeline.subscribe, rows.get);
}

/** A number that increases with every change of the window. */
export function useHistoryVersion(): number {
  const { timeline } = useWorkspace();
  return useSyncExternalStore(timeline.subscribe, () => timeline.window.version);
}
