import { type Health, healthBody } from '../../../shared/wire/http.ts';
import type { Source } from '../../../shared/wire/source.ts';
import { lacksRights } from '../../../shared/wire/watched.ts';
import type { Observatory } from '../../watch/observatory.ts';
import { route } from '../answer/route.ts';
import type { ApiContext } from '../app-context.ts';

/** A source with a larger lag makes the status `degraded`. */
const MOST_LAG_MS = 1000;

export const healthRoute = route({
  method: 'GET',
  path: '/health',
  operation: 'getHealth',
  tag: 'sources',
  summary: 'Shows the state of every source, of the history and of the memory.',
  answer: healthBody,
}).handledBy(({ observatory, isDemo, version, memory, allowRelease, webhook, otlp, fleet }: ApiContext) => {
  const { history } = observatory;
  const sources = observatory.sources();
  const store = observatory.store?.();
  return {
    body: {
      v: 1,
      status: fleet ? (fleet.isConnected() ? 'ok' : 'down') : statusOf(sources, store),
      version,
      at: observatory.now(),
      sources,
      demo: isDemo,
      ...(allowRelease && observatory.serverOf ? { canRelease: true } : {}),
      history: {
        events: history.count(),
        oldestSeq: history.oldestSeq(),
        nextSeq: history.nextSeq(),
        capped: history.isCapped(),
      },
      ...memoryOf(observatory, memory),
      ...(store ? { store } : {}),
      ...(otlp ? { otlp: otlp() } : {}),
      ...(webhook ? { webhook: webhook() } : {}),
    },
  };
});

function memoryOf({ memory }: Observatory, limit: number | undefined): Pick<Health, 'memory'> {
  const taken = memory?.();
  if (limit === undefined || !taken) return {};
  const { eventsBytes, locksBytes, ...rest } = taken;
  const used = process.memoryUsage.rss();
  return {
    memory: { limitMb: mb(limit), usedMb: mb(used), eventsMb: mb(eventsBytes), locksMb: mb(locksBytes), ...rest },
  };
}

function mb(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}

function statusOf(every: readonly Source[], store: Health['store']): Health['status'] {
  const sources = every.filter(({ ended = false }) => !ended);
  const observing = sources.filter((source) => source.status === 'observing');
  if (observing.length === 0) return 'down';
  const isStored = store?.problem === undefined;
  return isStored && observing.length === sources.length && observing.every(isHealthy) ? 'ok' : 'degraded';
}

function isHealthy(source: Source): boolean {
  const { guard, problem, lagMs } = source;
  return guard.state === 'ok' && problem === undefined && lagMs <= MOST_LAG_MS && !lacksRights(source);
}
