import { OBSERVE_LEVELS } from '../../../base/observe-level.ts';
import type { RedisTime } from '../../../base/time.ts';
import type { LockState } from '../../../state/lock-state.ts';
import type { SourceDetector, SourceView } from '../../detector.ts';
import { newestRefusal, REFUSED_WITHIN_MS } from './newest-refusal.ts';

const ERRORS = ['OOM', 'MISCONF', 'NOREPLICAS', 'CLUSTERDOWN'] as const;
/**
 * Lock scripts, and commands that they call. If none of these was refused, another part of the application was
 * affected.
 */
const OF_LOCKS = ['eval', 'evalsha', 'hincrby', 'hset', 'pexpire'];

/**
 * Redis refuses writes, so no lock can be acquired and no unlock succeeds. Under OOM renewals still pass; under MISCONF
 * and NOREPLICAS they fail too. Under CLUSTERDOWN all commands fail. READONLY is left out: it shows that the server is
 * not the master (`topology-churn`).
 */
export const serverRefusesWrites: SourceDetector<'server-refuses-writes'> = {
  incident: 'server-refuses-writes',
  effect: 'other',
  of: 'source',
  withoutCommands: 'same',
  levels: OBSERVE_LEVELS,
  wants: { types: ['server.refused'], beside: [], withinMs: REFUSED_WITHIN_MS },
  detect(view) {
    const { source, server } = view;
    const found = newestRefusal(view, ERRORS);
    if (!found) return server ? [] : 'server';
    const { event, error, refusals, from, isAtLeast, seqs } = found;
    const to = error === 'OOM' && hasNoLimitSince(server, event.at) ? event.at : found.to;
    const isOfLocks = OF_LOCKS.some((name) => event.rejected?.[name] || event.failed?.[name]);
    const held = view.locks.filter(({ holders }) => holders.length > 0);
    return [
      {
        incident: 'server-refuses-writes',
        severity: isOfLocks && to === null ? 'critical' : 'warning',
        confidence: 'certain',
        lockId: null,
        source,
        holders: [],
        from,
        ...(isAtLeast ? { isAtLeast } : undefined),
        to,
        selfHealsAt: null,
        events: seqs,
        values: {
          error,
          refusals,
          usedMemoryBytes: event.usedMemoryBytes ?? null,
          policy: server?.evictionPolicy ?? null,
          held: held.length,
          nextFreeAt: nextEnd(held, view.now),
        },
      },
    ];
  },
};

/**
 * Whether the server has had no memory limit since these refusals: then it does not refuse for lack of memory. A server
 * that reports no limit although it refuses, as some hosted ones do, proves nothing: only the removal of a limit does.
 */
function hasNoLimitSince(server: SourceView['server'], at: RedisTime): boolean {
  return server?.unlimitedAt !== undefined && server.unlimitedAt >= at;
}

/** The next end of a lease; null: none is known. */
function nextEnd(held: readonly LockState[], now: number): LockState['expiresAt'] {
  let next: LockState['expiresAt'] = null;
  for (const { expiresAt } of held) {
    if (expiresAt !== null && expiresAt > now && (next === null || expiresAt < next)) next = expiresAt;
  }
  return next;
}
