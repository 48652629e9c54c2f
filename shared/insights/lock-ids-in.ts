import { lockIdOf } from '../state/lock-state.ts';
import type { Insight } from './insight.ts';

/**
 * The ids of the locks that a problem is about. The locks of a circle are taken to be in the source and database of the
 * insight, because `path` contains only their names.
 */
export function lockIdsIn({ lockId, source, db, values }: Insight): readonly string[] {
  const own = lockId === null ? [] : [lockId];
  return 'path' in values
    ? [...own, ...values.path.flatMap(({ lock }) => (lock ? lockIdOf({ source, db, lock }) : []))]
    : own;
}
