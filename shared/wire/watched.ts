import type { Source } from './source.ts';

const SILENT: readonly (string | undefined)[] = ['not-answering', 'observer-silent'];

/** True if a problem means that a connected Redis, or its observer, does not respond. */
export function isSilence(code: string | undefined): boolean {
  return SILENT.includes(code);
}

/** True if a source is connected, and its Redis and its observer respond. */
export function isWatched({ status, problem }: Pick<Source, 'status' | 'problem'>): boolean {
  return status === 'observing' && !isSilence(problem?.code);
}
