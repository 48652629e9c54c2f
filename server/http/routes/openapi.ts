import { openApiBody } from '../../../shared/wire/http.ts';
import { route } from '../answer/route.ts';
import type { ApiContext } from '../app-context.ts';

export const openApiRoute = route({
  method: 'GET',
  path: '/openapi.json',
  operation: 'getOpenApi',
  tag: 'sources',
  summary: 'Describes this API in OpenAPI 3.1, as this document.',
  answer: openApiBody,
}).handledBy(({ describe }: ApiContext, { base }) => ({ body: describe(base) }));
