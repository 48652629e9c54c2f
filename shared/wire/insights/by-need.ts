import { byAttention } from '../../insights/attention.ts';
import { SEVERITIES } from '../../insights/insight.ts';
import type { Lock } from '../locks/lock.ts';
import { oldestWait } from '../locks/lock-facts.ts';
import type { WireInsight } from './insight.ts';
import { lockIdsIn } from './insights-about.ts';

/** Compares two locks: negative if `a` needs attention before `b`. */
export type ByNeed = (a: Lock, b: Lock) => number;

/**
 * Sorts locks by the severity of their worst open problem, then by their oldest wait, then by the attention that their
 * state needs.
 */
export function byNeedOf(insights: readonly WireInsight[]): ByNeed {
  const severity = new Map<string, number>();
  for (const insight of insights.filter(({ to }) => to === null)) {
    const rank = SEVERITIES.length - SEVERITIES.indexOf(insight.severity);
    for (const id of lockIdsIn(insight)) severity.set(id, Math.max(severity.get(id) ?? 0, rank));
  }
  const rankOf = (lock: Lock) => severity.get(lock.id) ?? 0;
  return (a, b) => rankOf(b) - rankOf(a) || waitingSince(a) - waitingSince(b) || byAttention(a, b);
}

/** When the oldest known wait began or, of a held lock, when listening began. Without either, later than all others. */
function waitingSince(lock: Lock): number {
  const { held, listenedSince = Number.MAX_SAFE_INTEGER } = lock;
  return Math.min(oldestWait(lock)?.at ?? Number.MAX_SAFE_INTEGER, held ? listenedSince : Number.MAX_SAFE_INTEGER);
}
