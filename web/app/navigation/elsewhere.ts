import { FLEET_PATH, isFleetHome } from '../../url/base-path.ts';
import type { Route } from '../../url/route.ts';

const AT_HOME: ReadonlySet<Route['page']> = new Set(['fleet', 'incident-help', 'not-found']);

/**
 * Whether this part of the site lacks a page. The viewer of a fleet has only the fleet page and help. Each of its
 * sources has all pages except the fleet page and recordings. A Lockscope outside a fleet has no fleet page.
 */
export function isElsewhere(page: Route['page']): boolean {
  if (isFleetHome) return !AT_HOME.has(page);
  return page === 'fleet' || (FLEET_PATH !== undefined && page === 'recordings');
}
