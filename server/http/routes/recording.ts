import { Router } from 'express';
import { z } from 'zod';
import type { AppContext } from '../app-context.ts';
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
    message: 'must not be earlier than "from"',
  });

/** `GET /api/recording`: the recording of a time range, as far as it is in memory, as a file. */
export function recordingRoute({ observatory, connections }: AppContext): Router {
  const turns = oneAtATime(connections);
  return Router().get('/recording', async (req, res) => {
    const query = checked(recordingQuery, req.query, 'query');
    if (query.source !== undefined && !observatory.sources().some(({ id }) => id === query.source)) {
      throw new HttpProblem(404, 'unknown-source', 'There is no such source.', 'GET /api/health lists them.', 'source');
    }
    await turns.answer(
      res,
      (signal) => observatory.recording(query, signal),
      (cut) => {
        if (!cut) {
          throw new HttpProblem(
            404,
            'not-in-memory',
            'That time range is not in memory.',
            'GET /api/events shows in oldestSeq how far memory goes back; --record FILE keeps everything.',
            'to',
          );
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
