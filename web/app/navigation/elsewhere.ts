import { FLEET_PATH, isFleetHome } from '../../url/base-path.ts';
import type { Route } from '../../url/route.ts';

const AT_HOME: ReadonlySet<Route['page']> = new Set(['fleet', 'incident-help', 'not-found']);

/**
 * Whether a page exists only elsewhere. The viewer of a fleet has a fleet page of its own; most other pages are those
 * of its sources, without recordings. A Lockscope outside a fleet has no fleet page.
 */
export function isElsewhere(page: Route['page']): boolean {
  if (isFleetHome) return !AT_HOME.has(page);
  return page === 'fleet' || (FLEET_PATH !== undefined && page === 'recordings');
}
