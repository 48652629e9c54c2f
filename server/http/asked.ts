import type { ApiContext } from './app-context.ts';
import { checked } from './problem.ts';
import type { Route } from './route.ts';
import { NO_UPLOAD } from './upload.ts';

/** The parts of a request, with numbers and flags instead of their text. */
export type Parts = {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
};

/** Asks a route of the API without HTTP. Rejects with an `HttpProblem` where the API would refuse. */
export function asked(context: ApiContext): <A>(route: Route<ApiContext>, parts: Parts) => Promise<A> {
  const never = new AbortController().signal;
  return async <A>(route: Route<ApiContext>, { params = {}, query = {} }: Parts) => {
    const answer = await route.handle(context, {
      params: route.params && checked(route.params, params, 'path'),
      query: route.query && checked(route.query, textsOf(query), 'query'),
      headers: {},
      body: undefined,
      upload: NO_UPLOAD,
      base: '',
    });
    if (!('inTurn' in answer || 'body' in answer)) throw new Error(`${route.path} answers without JSON`);
    return ('inTurn' in answer ? await answer.inTurn(never) : answer.body) as A; // the caller names the route's own type
  };
}

/** The fields as an address would have them. */
function textsOf(query: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}
