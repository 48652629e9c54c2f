import type { SourceSight } from '../../../shared/trends/trend-counter.ts';
import type { Source } from '../../../shared/wire/source.ts';

/** What can be seen of each source. A server that was ended on purpose is left out. */
export function sightsOf(sources: readonly Source[]): Map<string, SourceSight> {
  const sights = new Map<string, SourceSight>();
  for (const { id, ended, status, level, problem, unwatchedSince } of sources) {
    if (ended) continue;
    const isSilent = problem?.code === 'observer-silent' && unwatchedSince !== undefined;
    const isWatched = status === 'observing' && !isSilent;
    sights.set(id, { isWatched, waits: level === 'monitor', renewals: level !== 'snapshot' });
  }
  return sights;
}
