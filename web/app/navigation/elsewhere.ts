import { FLEET_PATH, isFleetHome } from '../../url/base-path.ts';
import type { Route } from '../../url/route.ts';

const AT_HOME: ReadonlySet<Route['page']> = new Set(['fleet', 'incident-help', 'not-found']);

/** Whether this page is not here: a viewer has most pages under its sources, which have no recordings; only it has a fleet. */
export function isElsewhere(page: Route['page']): boolean {
  if (isFleetHome) return !AT_HOME.has(page);
  return page === 'fleet' || (FLEET_PATH !== undefined && page === 'recordings');
}
