import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { DemoStage } from '../../demo/demo-stage.ts';
import { makeMemoryObservatory } from '../../testing/memory-observatory.ts';
import { API_ROUTES, DEMO_ROUTES } from './all.ts';

test('docs/api.md lists exactly the routes that the server has', () => {
  const documented = [...readFileSync('docs/api.md', 'utf8').matchAll(/`(GET|POST) (\/api\/[^`?\s]*)/g)].map(
    ([, method, path = '']) => `${method} ${path.replace(/\b[A-Z]+\b/g, '*')}`,
  );
  // No route is asked, so the stage is never used.
  const routers = [...API_ROUTES.map((route) => route(context)), ...DEMO_ROUTES.map((route) => route({} as DemoStage))];
  const served = routers
    .flatMap(({ stack }) => stack)
    .flatMap(({ route }) => (route ? [`${methodOf(route.stack)} /api${route.path.replace(/:\w+/g, '*')}`] : []));
  expect(served.length).toBeGreaterThan(20);
  expect([...new Set(documented)].sort()).toEqual([...new Set(served)].sort());
});

const context = { observatory: makeMemoryObservatory(), version: '1.2.3', allowRelease: false, isDemo: true };

function methodOf(handlers: readonly { readonly method: string }[]): string {
  return handlers[0]?.method.toUpperCase() ?? '';
}
