import { Router } from 'express';
import type { Health } from '../../../shared/wire/http.ts';
import type { Source } from '../../../shared/wire/source.ts';
import type { AppContext } from '../app.ts';

/** `GET /api/health`: the state of every source and of our own memory. */
export function healthRoute({ observatory, stage, version }: AppContext): Router {
  return Router().get('/health', (_req, res) => {
    const { history } = observatory;
    const sources = observatory.sources();
    const body: Health = {
      v: 1,
      status: statusOf(sources),
      version,
      sources,
      demo: stage !== undefined,
      history: {
        events: history.count(),
        oldestSeq: history.oldestSeq(),
        nextSeq: history.nextSeq(),
        capped: history.isCapped(),
      },
    };
    res.json(body);
  });
}

function statusOf(every: readonly Source[]): Health['status'] {
  const sources = every.filter(({ ended = false }) => !ended);
  const observing = sources.filter((source) => source.status === 'observing');
  if (observing.length === 0) return 'down';
  const isWell = observing.length === sources.length && observing.every((source) => source.guard.state === 'ok');
  return isWell ? 'ok' : 'degraded';
}
