import { fileTimeText } from '../../../shared/base/time.ts';
import { recordingQuery } from '../../../shared/wire/http.ts';
import { problem } from '../../../shared/wire/problems/problem.ts';
import { route } from '../answer/route.ts';
import type { ApiContext } from '../app-context.ts';
import { HttpProblem } from '../problems/problem.ts';

/** The recording of a time range, as far as it is in memory, as a file. */
export const recordingRoute = route({
  method: 'GET',
  path: '/recording',
  operation: 'downloadMemory',
  tag: 'recordings',
  summary: 'Downloads what is in memory about a range of time, as a recording.',
  refusals: { 404: ['unknown-source', 'not-in-memory'], 409: ['watched-elsewhere'] },
  query: recordingQuery,
  answer: 'application/gzip',
}).handledBy(({ observatory }: ApiContext, { query }) => {
  if (query.source !== undefined && !observatory.sources().some(({ id }) => id === query.source)) {
    throw new HttpProblem(404, problem('unknown-source'), 'source');
  }
  return {
    fileInTurn: async (signal) => {
      const cut = await observatory.recording(query, signal);
      if (!cut) throw new HttpProblem(404, problem('not-in-memory', { what: 'range' }), 'to');
      return { name: recordingName(cut.startedAt), bytes: cut.bytes };
    },
  };
});

/** A file name with the start time, for example `lockscope-2025-11-21T09-47-34Z.lockscope`. */
export function recordingName(startedAt: number): string {
  return `lockscope-${fileTimeText(startedAt)}.lockscope`;
}
