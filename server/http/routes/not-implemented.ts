import { z } from 'zod';
import { graphBody } from '../../../shared/wire/http.ts';
import { problem } from '../../../shared/wire/problems/problem.ts';
import type { ApiContext } from '../app-context.ts';
import { HttpProblem } from '../problem.ts';
import { route } from '../route.ts';

/** An empty graph, until there is one. */
export const graphRoute = route({
  method: 'GET',
  path: '/graph',
  answer: graphBody,
}).handledBy((_: ApiContext) => ({ body: { v: 1, nodes: [], edges: [], cycles: [] } }));

/** Refuses to release a lock by force. */
export const releaseRoute = route({
  method: 'POST',
  path: '/locks/:name/release',
  answer: z.never(),
}).handledBy(({ allowRelease }: ApiContext) => {
  if (allowRelease) throw notThereYet('release');
  throw new HttpProblem(403, problem('release-not-allowed'));
});

/** A 404 for a documented feature that is not implemented yet. */
export function notThereYet(what: 'metrics' | 'release'): HttpProblem {
  return new HttpProblem(404, problem('not-there-yet', { what }));
}
