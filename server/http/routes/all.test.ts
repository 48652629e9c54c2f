import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { DemoStage } from '../../demo/demo-stage.ts';
import { makeMemoryObservatory } from '../../testing/memory-observatory.ts';
import { createGuard } from '../guard.ts';
import { API_ROUTES } from './all.ts';

test('docs/api.md lists exactly the routes that the server has', () => {
  const documented = [...readFileSync('docs/api.md', 'utf8').matchAll(/`(GET|POST) (\/api\/[^`?\s]*)/g)].map(
    ([, method, path = '']) => `${method} ${path.replace(/\b[A-Z]+\b/g, '*')}`,
  );
  const served = API_ROUTES.flatMap((route) => route(context).stack).flatMap(({ route }) =>
    route ? [`${methodOf(route.stack)} /api${route.path.replace(/:\w+/g, '*')}`] : [],
  );
  expect(served.length).toBeGreaterThan(20);
  expect([...new Set(documented)].sort()).toEqual([...new Set(served)].sort());
});

/** What the routes are made from. No route is asked, so the stage is never used. */
const context = {
  observatory: makeMemoryObservatory(),
  stage: {} as DemoStage,
  guard: createGuard({ host: '127.0.0.1', token: undefined }),
  version: '1.2.3',
  allowRelease: false,
  webDir: '/nowhere',
  report: () => undefined,
};

function methodOf(handlers: readonly { readonly method: string }[]): string {
  return handlers[0]?.method.toUpperCase() ?? '';
}
