import { hashOf } from '../base/name-hash.ts';
import { nameInId } from '../state/lock-state.ts';
import type { Effect, Finding, Insight } from './insight.ts';

/** Adds the id, the effect, and the place of the lock. */
export function insightFrom(finding: Finding, effect: Effect): Insight {
  const { incident, lockId, holders, from } = finding;
  const [lockSource = '', db = ''] = lockId?.split('/', 2) ?? [];
  const source = finding.source ?? lockSource;
  const who = (hashOf(`${lockId ?? source} ${holders[0] ?? ''}`) >>> 0).toString(36);
  const lock = lockId === null ? null : nameInId(lockId);
  return { ...finding, effect, id: `${incident}-${from}-${who}`, source, db: Number(db), lock };
}
