import { FLEET_PATH } from '../url/base-path.ts';
import { isLinkableClient } from '../url/clients-link.ts';
import { lockRoute, OVERVIEW, type Route } from '../url/route.ts';
import { hrefFromRoute } from '../url/route-link.ts';

/** The address of a page of one source of a viewer. */
function hrefIn(name: string, route: Route): string {
  return `${FLEET_PATH ?? ''}/sources/${encodeURIComponent(name)}${hrefFromRoute(route)}`;
}

/** The address of the overview of a source. */
export function sourceHref(name: string): string {
  return hrefIn(name, OVERVIEW);
}

/** The page of a lock of a source. `lock.source`: its id within that observer. */
export function lockHref(name: string, lock: { name: string; source: string; db: number }): string {
  return hrefIn(name, lockRoute(lock));
}

/**
 * The page of a client of a source; `undefined` if no path can contain the client's id. `source`: its id within that
 * observer.
 */
export function clientHref(name: string, { client, source }: { client: string; source: string }): string | undefined {
  if (!isLinkableClient(client)) return undefined;
  return hrefIn(name, { page: 'clients', client, source, at: null, selected: null });
}
