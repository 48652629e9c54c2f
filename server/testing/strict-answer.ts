import { strictly } from '../../shared/testing/strictly.ts';
import { API_ROUTES, DEMO_ROUTES } from '../http/routes/all.ts';

/** Checks an answer strictly, with the schema from the table of routes. Throws what is wrong. `path` begins with `/api`. */
export function strictAnswer(method: string, path: string, body: unknown): void {
  const { pathname } = new URL(path, 'http://test');
  const route = [...API_ROUTES, ...DEMO_ROUTES].find((each) => {
    const pattern = new RegExp(`^/api${each.path.replace(/:\w+/g, '[^/]+')}$`);
    return each.method === method && pattern.test(pathname);
  });
  if (!route || typeof route.answer === 'string') throw new Error(`no route with a JSON answer for ${method} ${path}`);
  strictly(route.answer, body);
}
