import type { Source } from '../../shared/wire/source.ts';
import { isWatched } from '../../shared/wire/watched.ts';

/** The ids of sources that are not watched while at least one is. Ignores servers that a scenario shut down. */
export function lostSources(sources: readonly Pick<Source, 'id' | 'status' | 'problem' | 'ended'>[]): string[] {
  const wanted = sources.filter(({ ended }) => !ended);
  const lost = wanted.filter((source) => !isWatched(source));
  return lost.length === wanted.length ? [] : lost.map(({ id }) => id);
}
