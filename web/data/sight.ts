import type { Source } from '../../shared/wire/source.ts';
import type { LiveState } from './live-state.ts';

/** Why nothing is watched now: this page has no connection, or no Redis is watched. */
export type NoSight =
  | { readonly kind: 'connecting' | 'refused' }
  | { readonly kind: 'trouble'; readonly source: Source };

/** Why nothing is watched now; null while at least one source is. Servers that a scenario ended do not count. */
export function noSightOf({ link, sources }: Pick<LiveState, 'link' | 'sources'>): NoSight | null {
  if (link === 'refused') return { kind: 'refused' };
  if (link !== 'live' || sources.length === 0) return { kind: 'connecting' };
  const wanted = sources.filter(({ ended }) => !ended);
  if (wanted.length === 0 || wanted.some(isWatched)) return null;
  const source = wanted.find(({ problem }) => problem !== undefined) ?? wanted[0];
  return source ? { kind: 'trouble', source } : null;
}

const SILENT: readonly (string | undefined)[] = ['not-answering', 'observer-silent'];

/** True while a source is connected, and its Redis and its observer answer. */
export function isWatched({ status, problem }: Pick<Source, 'status' | 'problem'>): boolean {
  return status === 'observing' && !SILENT.includes(problem?.code);
}
