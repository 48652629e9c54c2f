import { OBSERVE_LEVELS } from '../../../base/observe-level.ts';
import type { SourceDetector } from '../../detector.ts';
import { newestRefusal, REFUSED_WITHIN_MS } from './newest-refusal.ts';

const ERRORS = ['READONLY', 'MOVED', 'NOSCRIPT'] as const;
/** Fewer errors are normal: they show a client that a slot has moved, or that the script cache is empty. */
const MANY = 100;

/**
 * Clients send scripts to a server that is no longer the master of their keys, or that has lost their scripts. INFO
 * does not show which clients these are.
 */
export const topologyChurn: SourceDetector<'topology-churn'> = {
  incident: 'topology-churn',
  effect: 'other',
  of: 'source',
  withoutCommands: 'same',
  levels: OBSERVE_LEVELS,
  wants: { types: ['server.refused'], beside: [], withinMs: REFUSED_WITHIN_MS },
  detect(view) {
    const { source, server } = view;
    const found = newestRefusal(view, ERRORS);
    if (!found) return server ? [] : 'server';
    const { event, error, refusals, from, isAtLeast, to, seqs } = found;
    const isReplica = server?.role === 'replica';
    const isAtOnce = error === 'READONLY';
    const { failed, rejected } = event;
    const failedScripts = [failed?.eval, failed?.evalsha, rejected?.eval, rejected?.evalsha].reduce<number>(plus, 0);
    // a token lock is acquired by SET, which may also be another write: INFO shows no key
    const sets = isAtOnce ? (rejected?.set ?? 0) : 0;
    if (isAtOnce ? failedScripts + sets === 0 : refusals < MANY) return [];
    return [
      {
        incident: 'topology-churn',
        severity: isAtOnce && failedScripts > 0 && to === null ? 'critical' : 'warning',
        confidence: 'likely',
        lockId: null,
        source,
        holders: [],
        from,
        ...(isAtLeast ? { isAtLeast } : undefined),
        to,
        selfHealsAt: null,
        events: seqs,
        values: { error, refusals, isReplica },
      },
    ];
  },
};

function plus(sum: number, count = 0): number {
  return sum + count;
}
