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

/** True if a source is watched, and all its locks have been looked for once. */
export function isWholeRead({
  status,
  missing,
  snapshotAt,
}: Pick<Source, 'status' | 'missing' | 'snapshotAt'>): boolean {
  return status === 'observing' && snapshotAt !== null && missing?.firstScan === undefined;
}

/** Whether this user lacks rights, so that locks may be missing or stale although the source is watched. */
export function lacksRights({ missing }: Pick<Source, 'missing'>): boolean {
  return missing?.lacksRights === true;
}

/** The part of a source that cannot be seen now, or could not at a past instant (`UnseenAt`). */
export type VisiblePart = Pick<Source, 'unseen'> | { readonly lacks: readonly string[] };

/**
 * Whether connections that listened before watching began are counted. False without PUBSUB NUMSUB, or a right to it.
 */
export function countsListeners(source: VisiblePart): boolean {
  if ('lacks' in source) return !source.lacks.includes('listeners');
  return !source.unseen.some(({ code, values: { loss, lack } }) => {
    if (code === 'unseen-when-recorded') return lack === 'listeners' || lack === 'unknown';
    return code === 'unseen-without-right' && loss === 'listeners';
  });
}

/** Whether all queues of fair locks can be read. False if this user may not read some keys, or lists. */
export function readsQueues(source: VisiblePart): boolean {
  if ('lacks' in source) return !source.lacks.includes('queues');
  return !source.unseen.some(({ code, values: { loss, lack } }) => {
    if (code === 'unseen-when-recorded') return lack === 'queues' || lack === 'unknown';
    return code === 'unseen-keys' || (code === 'unseen-without-right' && loss === 'companions');
  });
}

/** By how much the times of a source's events are ahead of this machine's clock, in milliseconds. */
export function leadMs({ clockOffsetMs, clockBehindMs = 0 }: Pick<Source, 'clockOffsetMs' | 'clockBehindMs'>): number {
  return clockOffsetMs + clockBehindMs;
}
