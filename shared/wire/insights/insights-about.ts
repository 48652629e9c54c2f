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
  return insights.filter((each) => each.source === source && each.db === db && locksIn(each).includes(name));
}

export function lockIdsIn(insight: About): string[] {
  const { source, db = 0 } = insight;
  return locksIn(insight).flatMap((lock) => (typeof lock === 'string' ? [lockIdOf({ source, db, lock })] : []));
}

/** The names of the locks that an insight is about: its own lock, and those of its circle. */
function locksIn({ lock, values }: About): readonly unknown[] {
  const { path } = values;
  const inCircle = Array.isArray(path) ? path.map((step) => (typeof step === 'object' ? step?.lock : undefined)) : [];
  return lock === undefined ? inCircle : [lock, ...inCircle];
}
