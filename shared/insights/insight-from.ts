import { hashOf } from '../base/name-hash.ts';
import { nameInId } from '../state/lock-state.ts';
import type { Effect, Finding, Insight } from './insight.ts';

/**
 * Adds the effect, the place of the lock, and the id: the incident, its beginning, and a hash of the lock (or source)
 * and of the first holder.
 */
export function insightFrom(finding: Finding, effect: Effect): Insight {
  const { incident, lockId, holders, from } = finding;
  const [lockSource = '', db = ''] = lockId?.split('/', 2) ?? [];
  const source = finding.source ?? lockSource;
  const hash = (hashOf(`${lockId ?? source} ${holders[0] ?? ''}`) >>> 0).toString(36);
  const lock = lockId === null ? null : nameInId(lockId);
  return { ...finding, effect, id: `${incident}-${from}-${hash}`, source, db: Number(db), lock };
}
