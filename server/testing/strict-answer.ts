import { API_ROUTES, DEMO_ROUTES } from '../http/routes/all.ts';

/**
 * Checks an answer by the table of routes: the schema of its route must accept it and know each of its fields. Throws what
 * is wrong. `path` begins with `/api`.
 */
export function strictAnswer(method: string, path: string, body: unknown): void {
  const { pathname } = new URL(path, 'http://test');
  const route = [...API_ROUTES, ...DEMO_ROUTES].find((each) => {
    const pattern = new RegExp(`^/api${each.path.replace(/:\w+/g, '[^/]+')}$`);
    return each.method === method && pattern.test(pathname);
  });
  if (!route || typeof route.answer === 'string') throw new Error(`no route with a JSON answer for ${method} ${path}`);
  const unknown = unknownIn(body, route.answer.parse(body), '');
  if (unknown.length > 0) throw new Error(`${method} ${route.path}: not in the schema of its answer: ${unknown}`);
}

/** The fields of `given` that `parsed`, its parsed copy, does not have. */
function unknownIn(given: unknown, parsed: unknown, path: string): string[] {
  if (typeof given !== 'object' || given === null) return [];
  const known = Object.entries(parsed as object); // a schema that accepts an object returns one
  const names = new Map<string, unknown>(known);
  return Object.entries(given).flatMap(([name, value]) =>
    names.has(name) ? unknownIn(value, names.get(name), `${path}.${name}`) : [`${path}.${name}`],
  );
}
