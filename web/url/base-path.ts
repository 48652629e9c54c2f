/**
 * The path under which the page is mounted: empty, or `/ops/locks` in another application. The server writes it into the
 * page. Without a document (in tests) it is empty.
 */
export const BASE_PATH: string = typeof document === 'undefined' ? '' : (document.documentElement.dataset.base ?? '');

/** The path within the page: `/events` for `/ops/locks/events`. */
export function withoutBase(path: string, base: string = BASE_PATH): string {
  const isInside = path === base || path.startsWith(`${base}/`);
  return isInside ? path.slice(base.length) || '/' : path;
}
