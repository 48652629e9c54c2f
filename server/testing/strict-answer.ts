import type { ErrorBody } from '../../shared/wire/http.ts';
import { strictly } from '../../testing/stories/strictly.ts';
import { refusalsOf } from '../http/openapi/refusals-of.ts';
import { API_ROUTES, DEMO_ROUTES } from '../http/routes/all.ts';

/**
 * Checks an answer strictly, with the schema from the table of routes. Throws what is wrong. `path` begins with `/api`.
 */
export function strictAnswer(method: string, path: string, body: unknown): void {
  const route = routeOf(method, path);
  if (!route || typeof route.answer === 'string') throw new Error(`no route with a JSON answer for ${method} ${path}`);
  strictly(route.answer, body);
}

/**
 * Checks that the route may refuse with this status and code. Throws if it may not. Paths without a route are not
 * checked, nor is a demo that does not exist.
 */
export function strictRefusal(method: string, path: string, status: number, { error: { code } }: ErrorBody): void {
  const route = routeOf(method, path);
  const codes: readonly string[] | undefined = route && refusalsOf(route).get(status);
  if (code === 'no-demo') return;
  if (route && !codes?.includes(code)) throw new Error(`${method} ${route.path} lists no refusal ${status} ${code}`);
}

function routeOf(method: string, path: string) {
  const { pathname } = new URL(path, 'http://test');
  return [...API_ROUTES, ...DEMO_ROUTES].find((each) => {
    const pattern = new RegExp(`^/api${each.path.replace(/:\w+/g, '[^/]+')}$`);
    return each.method === method && pattern.test(pathname);
  });
}
