import { type AnchorHTMLAttributes, type MouseEvent, type Ref, useMemo, useSyncExternalStore } from 'react';
import { BASE_PATH, withoutBase } from './base-path.ts';
import { currentOrigin, onOrigin } from './origin.ts';
import type { Route } from './route.ts';
import { hrefFromRoute, parseRoute } from './route-link.ts';

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('popstate', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('popstate', listener);
  };
}

function currentHref(): string {
  return window.location.pathname + window.location.search;
}

/**
 * Navigates to a route. On the same page, parameters that the page does not know are kept. Use `replace` for changes
 * within a view, so that Back leaves the view.
 */
export function navigate(to: Route, { replace = false }: { replace?: boolean } = {}): void {
  const isSamePage = parseRoute(withoutBase(window.location.pathname), '').page === to.page;
  const href = hrefOf(to, isSamePage ? new URLSearchParams(window.location.search) : undefined);
  if (href === currentHref()) return;
  if (replace) window.history.replaceState(null, '', href);
  else window.history.pushState(null, '', href);
  for (const listener of listeners) listener();
}

/** Removes the access token from the address bar. The server has set it as a cookie. */
export function hideToken(): void {
  const query = new URLSearchParams(window.location.search);
  if (!query.has('token')) return;
  query.delete('token');
  const search = query.toString();
  window.history.replaceState(null, '', window.location.pathname + (search === '' ? '' : `?${search}`));
}

/**
 * Returns the URL of a route, with `BASE_PATH` and times relative to the current origin. Unknown parameters of `keep`
 * are added.
 */
export function hrefOf(route: Route, keep?: URLSearchParams): string {
  return BASE_PATH + hrefFromRoute(route, keep, currentOrigin());
}

/** Returns the route in the address bar; the component rerenders when it changes. */
export function useRoute(): Route {
  const href = useSyncExternalStore(subscribe, currentHref);
  const origin = useSyncExternalStore(onOrigin, currentOrigin);
  return useMemo(() => {
    const mark = href.indexOf('?');
    const [path, search] = mark === -1 ? [href, ''] : [href.slice(0, mark), href.slice(mark)];
    return parseRoute(withoutBase(path), search, origin);
  }, [href, origin]);
}

type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & { to: Route; ref?: Ref<HTMLAnchorElement> };

/** A link that changes the page without reloading it. Clicks with a modifier key behave as usual. */
export function Link({ to, onClick, ...rest }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (event.defaultPrevented || !isPlain) return;
    event.preventDefault();
    navigate(to);
  };
  return <a {...rest} href={hrefOf(to)} onClick={follow} />;
}
