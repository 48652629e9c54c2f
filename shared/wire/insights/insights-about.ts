import { lockIdOf } from '../../state/lock-state.ts';
import type { Lock } from '../locks/lock.ts';
import type { WireInsight } from './insight.ts';

/** The fields of an insight that name its locks. */
type About = Pick<WireInsight, 'source' | 'db' | 'lock' | 'values'>;

/** Those of `insights` that are about a lock, in the same order. */
export function insightsAbout(
  insights: readonly WireInsight[],
  { source, db, name }: Pick<Lock, 'source' | 'db' | 'name'>,
): WireInsight[] {
  const id = lockIdOf({ source, db, lock: name });
  return insights.filter((each) => lockIdsIn(each).includes(id));
}

/** The ids of the locks that an insight is about: its own lock, and those of its circle, also at other sources. */
export function lockIdsIn({ source, db = 0, lock, values }: About): string[] {
  const { path } = values;
  const inCircle = Array.isArray(path) ? path.map((step) => (typeof step === 'object' ? step?.lockId : undefined)) : [];
  const own = lock === undefined ? [] : [lockIdOf({ source, db, lock })];
  return [...own, ...inCircle.filter((id) => typeof id === 'string')];
}
