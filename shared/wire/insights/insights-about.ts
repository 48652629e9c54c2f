import { lockIdOf } from '../../state/lock-state.ts';
import type { Lock } from '../locks/lock.ts';
import type { WireInsight } from './insight.ts';

/** What names the locks of an insight. */
type About = Pick<WireInsight, 'source' | 'db' | 'lock' | 'values'>;

/** The open insights about a lock, the worst first. */
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

/** The names of the locks that an insight is about: those of a circle, or one. */
function locksIn({ lock, values }: About): readonly unknown[] {
  const { path } = values;
  const inCircle = Array.isArray(path) ? path.map((step) => (typeof step === 'object' ? step?.lock : undefined)) : [];
  return lock === undefined ? inCircle : [lock, ...inCircle];
}
