import type { IncomingMessage } from 'node:http';

/** What Express adds to a request: the path under which this part of an application is mounted. */
type Mounted = IncomingMessage & { baseUrl?: string };

/** The shape of a base path: empty, or for example `/ops/locks`. */
export const BASE_PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)*$/;
const LONGEST = 500;

/** The path under which Express has mounted us; empty at the root, and without Express. */
export function mountOf(req: IncomingMessage): string {
  return (req as Mounted).baseUrl ?? '';
}

/**
 * The path in front of ours that a proxy has removed, for example `/tools`, from `X-Forwarded-Prefix`; else empty. A
 * wrong header spoils only the answer to its own request.
 */
export function removedPrefix({ headers }: IncomingMessage): string {
  const prefix = String(headers['x-forwarded-prefix'] ?? '').replace(/\/$/, '');
  return prefix.length <= LONGEST && BASE_PATH.test(prefix) ? prefix : '';
}

/** By request, the path at which its Lockscope is mounted. Express changes `baseUrl` of the request on its way. */
const bases = new WeakMap<IncomingMessage, string>();

/** Notes the path by which browsers reach us: links, redirects and cookies of the answer begin with it. */
export function setBase(req: IncomingMessage, base: string): void {
  (req as Mounted).baseUrl = base;
  bases.set(req, base);
}

/** The path by which browsers reach the Lockscope that answers, also within a recording; empty at the root. */
export function baseOf(req: IncomingMessage): string {
  return bases.get(req) ?? '';
}

/**
 * The rest of a URL below a base path, `/events?lock=a` for `/ops/locks/events?lock=a`; undefined if the URL is not
 * below that path.
 */
export function below(base: string, url: string): string | undefined {
  if (!url.startsWith(base)) return undefined;
  const rest = url.slice(base.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : undefined;
}
