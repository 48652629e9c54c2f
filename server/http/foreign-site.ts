import type { IncomingHttpHeaders } from 'node:http';

/** Everything that is not the page: its data, its live channel, its figures. */
const NOT_THE_PAGE = /^\/(?:api|socket\.io|metrics)(?:[/?#]|$)/i;
const OWN_SITE = new Set(['same-origin', 'none']);

/**
 * True when a browser says that another site caused this request.
 *
 * Browsers send `Sec-Fetch-Site` with every request, and no script can change it. Programs such as curl send none.
 */
export function isFromOtherSite(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && !OWN_SITE.has(String(site).toLowerCase());
}

/**
 * True for a visit to the page as a link makes it: the document of a whole tab, never a frame, image, script or fetch.
 * The page holds no data, so a link on another site may open it.
 */
export function isVisitToPage(method: string, url: string, headers: IncomingHttpHeaders): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || NOT_THE_PAGE.test(url)) return false;
  const mode = headers['sec-fetch-mode'] ?? 'navigate';
  const destination = headers['sec-fetch-dest'] ?? 'document';
  return mode === 'navigate' && destination === 'document';
}
