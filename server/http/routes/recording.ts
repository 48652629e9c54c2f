import { Router } from 'express';
import { z } from 'zod';
import { problem } from '../../../shared/wire/problems/problem.ts';
import type { ApiContext } from '../app-context.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { checked, HttpProblem } from '../problem.ts';

const recordingQuery = z
  .object({
    from: z.coerce.number().int().min(0).optional(),
    to: z.coerce.number().int().min(0).optional(),
    source: z.string().max(256).optional(),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    path: ['to'],
    params: { before: 'from' },
  });

/** `GET /api/recording`: the recording of a time range, as far as it is in memory, as a file. */
export function recordingRoute({ observatory, connections }: ApiContext): Router {
  const turns = oneAtATime(connections);
  return Router().get('/recording', async (req, res) => {
    const query = checked(recordingQuery, req.query, 'query');
    if (query.source !== undefined && !observatory.sources().some(({ id }) => id === query.source)) {
      throw new HttpProblem(404, problem('unknown-source'), 'source');
    }
    await turns.answer(
      res,
      (signal) => observatory.recording(query, signal),
      (cut) => {
        if (!cut) {
          throw new HttpProblem(404, problem('not-in-memory', { what: 'range' }), 'to');
        }
        res.setHeader('Content-Disposition', `attachment; filename="${fileName(cut.startedAt)}"`);
        res.type('application/gzip').send(Buffer.from(cut.bytes.buffer, cut.bytes.byteOffset, cut.bytes.byteLength));
      },
    );
  });
}

/** A file name with the start time, for example `lockscope-2025-11-21T09-47-34Z.lockscope`. */
function fileName(startedAt: number): string {
  const time = new Date(startedAt / 1000)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-');
  return `lockscope-${time}.lockscope`;
}
