import { FLEET_PATH, isFleetHome } from '../../url/base-path.ts';
import type { Route } from '../../url/route.ts';

const AT_HOME: ReadonlySet<Route['page']> = new Set(['fleet', 'incident-help', 'not-found']);

/** Whether a viewer has this page only under one of its sources, or not at all: its sources have no recordings. */
export function isElsewhere(page: Route['page']): boolean {
  return isFleetHome ? !AT_HOME.has(page) : FLEET_PATH !== undefined && page === 'recordings';
}
