import { Doctor } from '../doctor/doctor.ts';
import { problemsIn } from '../problems/follow-problems.ts';
import type { Observatory } from '../watch/observatory.ts';
import { EventStreams } from './answer/event-stream.ts';
import type { Route } from './answer/route.ts';
import { NO_UPLOAD } from './answer/upload.ts';
import type { ApiContext } from './app-context.ts';
import { checked } from './problems/problem.ts';

/** The parts of a request, with numbers and flags instead of their text. */
type Parts = {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
};

/**
 * Asks routes of the API about an observatory, without HTTP. Rejects with an `HttpProblem` where the API would refuse.
 */
export function asked(
  observatory: Observatory,
  version: string,
): <A>(route: Route<ApiContext>, parts: Parts) => Promise<A> {
  const never = new AbortController().signal;
  const describe = () => {
    throw new Error('only an HTTP server describes its API');
  };
  const about = { version, allowRelease: false, isDemo: false, describe };
  const problems = () => problemsIn(observatory.history);
  const parts = { streams: new EventStreams(), doctor: new Doctor(observatory), problems };
  const context: ApiContext = { observatory, ...parts, ...about };
  return async <A>(route: Route<ApiContext>, { params = {}, query = {} }: Parts) => {
    const answer = await route.handle(context, {
      params: route.params && checked(route.params, params, 'path'),
      query: route.query && checked(route.query, textsOf(query), 'query'),
      headers: undefined,
      body: undefined,
      upload: NO_UPLOAD,
      gone: never,
      base: '',
    });
    if ('inTurn' in answer) return (await answer.inTurn(never)) as A; // the caller names the route's own type
    if ('body' in answer) return answer.body as A;
    throw new Error(`${route.path} does not answer with JSON`);
  };
}

/** The fields in the form of a query. */
function textsOf(query: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}
