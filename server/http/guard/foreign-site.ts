import type { IncomingHttpHeaders } from 'node:http';

/** Paths other than the page: the API, the live channel, the metrics. */
const NOT_THE_PAGE = /^\/(?:api|socket\.io|metrics)(?:[/?#]|$)/i;
const OWN_SITE = new Set(['same-origin', 'none']);

/**
 * True if the browser reports that another site caused this request.
 *
 * Browsers send `Sec-Fetch-Site` with every request over TLS or to this machine, and no script can change it. Programs
 * such as curl do not send it.
 */
export function isFromOtherSite(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && !OWN_SITE.has(String(site).toLowerCase());
}

/**
 * True if this request opens the page in a tab, as a link does, and not in a frame, image, script or fetch. The page
 * contains no data, so a link on another site may open it.
 */
export function isVisitToPage(method: string, url: string, headers: IncomingHttpHeaders): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || NOT_THE_PAGE.test(url)) return false;
  const mode = headers['sec-fetch-mode'] ?? 'navigate';
  const destination = headers['sec-fetch-dest'] ?? 'document';
  return mode === 'navigate' && destination === 'document';
}
