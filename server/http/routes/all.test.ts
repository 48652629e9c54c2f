import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { API_ROUTES, DEMO_ROUTES } from './all.ts';

const ROUTES = [...API_ROUTES, ...DEMO_ROUTES];

test('docs/api.md lists exactly the routes that the server has', () => {
  const documented = [...readFileSync('docs/api.md', 'utf8').matchAll(/`(GET|POST|DELETE) (\/api\/[^`?\s]*)/g)].map(
    ([, method, path = '']) => `${method} ${path.replace(/\b[A-Z]+\b/g, '*')}`,
  );
  const served = ROUTES.map(({ method, path }) => `${method} /api${path.replace(/:\w+/g, '*')}`);
  expect(served.length).toBeGreaterThan(20);
  expect([...new Set(documented)].sort()).toEqual(served.sort());
});

test.each(ROUTES)('$method $path has a schema for every parameter of its path', ({ path, params }) => {
  const words = [...path.matchAll(/:(\w+)/g)].map(([, word = '']) => word);
  if (params === undefined) return expect(path === '/locks/:name/release' ? [] : words).toEqual([]);
  const refused = params.safeParse({}).error?.issues.map(({ path: [word] }) => word);
  expect(refused?.sort()).toEqual(words.sort());
});
