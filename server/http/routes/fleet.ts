import { fleetBody, fleetQuery } from '../../../shared/wire/fleet/fleet.ts';
import { problem } from '../../../shared/wire/problems/problem.ts';
import { route } from '../answer/route.ts';
import type { ApiContext } from '../app-context.ts';
import { HttpProblem } from '../problems/problem.ts';

export const fleetRoute = route({
  method: 'GET',
  path: '/fleet',
  operation: 'getFleet',
  tag: 'sources',
  summary: 'The sources on the bus of a viewer, those that need attention first, and locks whose names match.',
  refusals: { 404: ['nothing-here'] },
  query: fleetQuery,
  answer: fleetBody,
}).handledBy(({ fleet }: ApiContext, { query: { q } }) => {
  if (!fleet) throw new HttpProblem(404, problem('nothing-here'));
  return { body: fleet.body(q) };
});
