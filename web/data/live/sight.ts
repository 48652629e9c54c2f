import type { Source } from '../../../shared/wire/source.ts';
import { isWatched } from '../../../shared/wire/watched.ts';
import type { LiveState } from './live-state.ts';

/** The reason why nothing is watched: this page is not connected, or no Redis is watched. */
export type NoSight =
  | { readonly kind: 'connecting' | 'refused' }
  | { readonly kind: 'trouble'; readonly source: Source };

/**
 * Returns why nothing is watched; null if at least one source is. Servers that were stopped on purpose are ignored;
 * null if there are no others.
 */
export function noSightOf({ link, sources }: Pick<LiveState, 'link' | 'sources'>): NoSight | null {
  if (link === 'refused') return { kind: 'refused' };
  if (link !== 'live' || sources.length === 0) return { kind: 'connecting' };
  const wanted = sources.filter(({ ended }) => !ended);
  if (wanted.length === 0 || wanted.some(isWatched)) return null;
  const source = wanted.find(({ problem }) => problem !== undefined) ?? wanted[0];
  return source ? { kind: 'trouble', source } : null;
}

/** The ids of the unwatched sources; empty if no source is watched. Ignores servers that were stopped on purpose. */
export function lostSources({ sources }: Pick<LiveState, 'sources'>): string[] {
  const wanted = sources.filter(({ ended }) => !ended);
  const lost = wanted.filter((source) => !isWatched(source));
  return lost.length === wanted.length ? [] : lost.map(({ id }) => id);
}
