import type { Logger } from 'pino';
import type { Watched } from '../../shared/wire/check.ts';

/** Logs every source that is not watched, with its reason and what to do. */
export function reportUnwatched({ sources }: Pick<Watched, 'sources'>, log: Pick<Logger, 'error'>): void {
  if (sources.length === 0) log.error('No server was found to watch.');
  for (const { url, status, problem } of sources) {
    if (status === 'observing') continue;
    log.error({ source: url }, problem ? `${problem.message} ${problem.hint}` : 'This server did not answer in time.');
  }
}
