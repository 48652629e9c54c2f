import { z } from 'zod';
import { observeBody, sourceBody } from '../../../shared/wire/http.ts';
import { problem } from '../../../shared/wire/problems/problem.ts';
import { route } from '../answer/route.ts';
import type { ApiContext } from '../app-context.ts';
import { HttpProblem } from '../problems/problem.ts';

/** MONITOR slows Redis down, so by default it ends after this time. */
const MONITOR_MS = 300_000;

export const sourcePath = z.object({
  id: z
    .string()
    .describe('Id of the source, as in GET /api/health.')
    .meta({ examples: ['redis'] }),
});

/** Why a source has no observer that accepts a request. */
export const OBSERVER_GONE = ['observer-ended', 'observer-busy', 'observer-failed', 'observer-silent'] as const;

export const observeRoute = route({
  method: 'POST',
  path: '/sources/:id/observe',
  operation: 'setLevel',
  tag: 'sources',
  summary: 'Switches the level at which a source is watched.',
  refusals: {
    404: ['unknown-source'],
    409: [
      ...(['monitor-refused', 'replica-monitor', 'no-output-limit', 'over-budget'] as const),
      ...(['replication-refused', 'replication-unavailable', 'not-connected', 'not-permitted'] as const),
      ...(['recording', 'watched-elsewhere'] as const),
    ],
    503: OBSERVER_GONE,
  },
  params: sourcePath,
  body: observeBody,
  answer: sourceBody,
}).handledBy(async ({ observatory }: ApiContext, { params: { id }, body: { level, forMs, openEnded, force } }) => {
  checkSource(observatory, id);
  const limit = level === 'monitor' && openEnded !== true ? (forMs ?? MONITOR_MS) : (forMs ?? null);
  const source = await observatory.observe(id, { level, forMs: limit, isForced: force === true });
  return { body: { v: 1, source } };
});

/** Throws a 404 if there is no source with this id. `field`: the field of the request that has the id. */
export function checkSource(observatory: ApiContext['observatory'], id: string, field = 'id'): void {
  if (observatory.sources().some((source) => source.id === id)) return;
  throw new HttpProblem(404, problem('unknown-source'), field);
}
