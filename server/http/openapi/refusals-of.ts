import type { ProblemCode } from '../../../shared/wire/problems/values.ts';
import { isOfSources } from '../answer/of-sources.ts';
import type { DescribedRoute } from '../answer/route.ts';

/** What the guard, the connection, a store that is gone or an internal error answers in place of any route. */
const OF_ANY = {
  401: ['token-required'],
  403: ['host-refused', 'origin-refused', 'site-refused'],
  429: ['too-many-tries'],
  500: ['internal'],
  503: ['busy', 'store-unreadable'],
} as const;

/** All problems that a route may answer with, by status, the lowest first. */
export function refusalsOf(route: DescribedRoute): ReadonlyMap<number, readonly ProblemCode[]> {
  const { params, query, headers, uploadTypes, refusals } = route;
  const hasBody = route.body !== undefined || route.uncheckedBody !== undefined;
  const codes = new Map<number, ProblemCode[]>();
  const add = (status: number, ...more: readonly ProblemCode[]) => {
    codes.set(status, [...new Set([...(codes.get(status) ?? []), ...more])]);
  };
  if (params || query || headers || hasBody) add(400, 'bad-request');
  if (params) add(400, 'bad-path');
  if (hasBody) {
    add(400, 'bad-json');
    add(413, 'too-large');
    add(415, 'not-json');
  }
  if (uploadTypes) {
    add(400, 'unreadable-request');
    add(408, 'not-sent');
    add(415, 'not-a-file');
  }
  if (isOfSources(route.path)) add(404, 'ask-a-source');
  for (const more of [refusals ?? {}, OF_ANY]) {
    for (const [status, of] of Object.entries(more)) add(Number(status), ...of);
  }
  return new Map([...codes].sort(([a], [b]) => a - b));
}
