import { openApiBody } from '../../../shared/wire/http.ts';
import { problem } from '../../../shared/wire/problems/problem.ts';
import type { ApiContext } from '../app-context.ts';
import { HttpProblem } from '../problem.ts';
import { route } from '../route.ts';

/** The description of all routes. */
export const openApiRoute = route({
  method: 'GET',
  path: '/openapi.json',
  operation: 'getOpenApi',
  tag: 'sources',
  summary: 'Describes this API in OpenAPI 3.1, as this document.',
  answer: openApiBody,
}).handledBy(({ describe }: ApiContext, { base }) => {
  if (!describe) throw new HttpProblem(404, problem('nothing-here'));
  return { body: describe(base) };
});
