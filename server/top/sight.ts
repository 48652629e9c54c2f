import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { wantedBy } from '../../shared/insights/attention.ts';
import { SEVERITIES } from '../../shared/insights/insight.ts';
import type { ReportBody, WireInsight } from '../../shared/wire/insights/insight.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import { type HiddenWaiters, hidesWaiters } from '../../shared/wire/locks/lock-facts.ts';
import type { Source } from '../../shared/wire/source.ts';

/** A source, and the time of its clock. */
export type SourceSight = {
  readonly source: Source;
  readonly isWatched: boolean;
  /** Redis time now. While a source is no longer watched, the time at which that began: countdowns stop. */
  readonly now: RedisTime;
  /** Until which Redis time the source was watched before; null: it is watched, or never was. */
  readonly unwatchedSince: RedisTime | null;
};

/** Everything that is shown at one instant. */
export type Sight = {
  readonly at: RedisTime;
  readonly sources: readonly SourceSight[];
  /** The first of the locks whose name matches the filter; those that need attention come first. */
  readonly locks: readonly Lock[];
  /** How many match, and how many of those are held. */
  readonly total: number;
  readonly held: number;
  /** The open verdicts, and what cannot be known. */
  readonly verdicts: ReportBody;
  /** The open lock as it is now, and its newest events; null: no lock is open, or memory no longer has it. */
  readonly opened: { readonly lock: Lock; readonly events: readonly LockEvent[] } | null;
};

/** The source of a lock or verdict, as it is seen now. */
export function sourceOf({ sources }: Pick<Sight, 'sources'>, id: string): SourceSight | undefined {
  return sources.find(({ source }) => source.id === id);
}

/** The instant from which the ages and countdowns of a lock are computed. */
export function nowOf(sight: Sight, { source, unwatchedSince }: Pick<Lock, 'source' | 'unwatchedSince'>): RedisTime {
  if (unwatchedSince !== undefined) return redisTime(unwatchedSince);
  return sourceOf(sight, source)?.now ?? sight.at;
}

/** Whether the shown state of a lock may be outdated: its source is not watched, or its key is not read. */
export function isDated(sight: Sight, { source, unwatchedSince, unread }: Lock): boolean {
  return unwatchedSince !== undefined || unread !== undefined || sourceOf(sight, source)?.isWatched === false;
}

/** Why the list of waiters of a lock may not be complete; null: it is. */
export function whyHidden(sight: Pick<Sight, 'sources'>, lock: Lock): HiddenWaiters | null {
  return hidesWaiters(lock, sourceOf(sight, lock.source)?.source);
}

/** Whether more locks may be wanted than the listed ones show: some are not listed, or their waiters may be hidden. */
export function mayMoreBeWanted(sight: Pick<Sight, 'sources' | 'locks' | 'total'>): boolean {
  const { locks, total } = sight;
  const isKnown = (lock: Lock) => !lock.held || wantedBy(lock) > 0 || whyHidden(sight, lock) === null;
  return total > locks.length || !locks.every(isKnown);
}

/** `1 critical, 2 hint`; empty without verdicts. */
export function countText(verdicts: readonly Pick<WireInsight, 'severity'>[]): string {
  return SEVERITIES.map((severity) => ({ severity, n: verdicts.filter((each) => each.severity === severity).length }))
    .filter(({ n }) => n > 0)
    .map(({ severity, n }) => `${n} ${severity}`)
    .join(', ');
}
