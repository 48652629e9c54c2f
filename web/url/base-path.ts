/**
 * The path under which the page is mounted: empty, or `/ops/locks` in another application. The server writes it into
 * the page. Without a document (in tests) it is empty.
 */
export const BASE_PATH: string = typeof document === 'undefined' ? '' : (document.documentElement.dataset.base ?? '');

/**
 * The path of the Lockscope that keeps recordings: `BASE_PATH`, except on the page of one of its recordings, whose own
 * path is below it (`/recordings/ID`).
 */
export const HOME_PATH: string =
  typeof document === 'undefined' ? '' : (document.documentElement.dataset.home ?? BASE_PATH);

const FLEET = typeof document === 'undefined' ? '' : (document.documentElement.dataset.fleet ?? '');

/** The path of the viewer that this page belongs to; `undefined`: it does not belong to a viewer. */
export const FLEET_PATH: string | undefined = FLEET === '' ? undefined : FLEET.replace(/\/$/, '');

/** Whether this is a page of a viewer itself, and not of one of its sources. */
export const isFleetHome: boolean = FLEET_PATH === BASE_PATH;

/** Whether observers, which are other processes, watch what this page shows: nothing can be changed or examined here. */
export const isWatchedElsewhere: boolean = FLEET_PATH !== undefined;

/** Whether this page shows a recording that the Lockscope at `HOME_PATH` has opened. */
export const isOfRecording: boolean = HOME_PATH !== BASE_PATH;

/** The path within the page: `/events` for `/ops/locks/events`. A path outside the page is returned unchanged. */
export function withoutBase(path: string, base: string = BASE_PATH): string {
  const isInside = path === base || path.startsWith(`${base}/`);
  return isInside ? path.slice(base.length) || '/' : path;
}
