import { OBSERVE_LEVELS } from '../../../base/observe-level.ts';
import type { RedisTime } from '../../../base/time.ts';
import type { LockEvent } from '../../../events/event.ts';
import type { ServerFacts } from '../../../events/types/server-event.ts';
import { lockIdOf } from '../../../state/lock-state.ts';
import type { SourceDetector } from '../../detector.ts';
import type { FindingOf } from '../../insight.ts';

const WITHIN_MS = 600_000;

/**
 * A lease ended and Redis announced nothing, because it publishes no expiry events. Lockscope computes such ends, and
 * Redisson's own listeners hear nothing. As long as no lease has ended, the setting makes no difference and is not
 * reported.
 */
export const eventsOff: SourceDetector<'events-off'> = {
  incident: 'events-off',
  effect: 'other',
  of: 'source',
  withoutCommands: 'same',
  levels: OBSERVE_LEVELS,
  wants: { types: ['lease.expired'], beside: [], withinMs: WITHIN_MS },
  detect({ source, watched, server, lockEvents }) {
    const silent = lockEvents.filter(({ certainty, type }) => type === 'lease.expired' && certainty === 'inferred');
    const last = silent.at(-1);
    if (!server) return 'server';
    if (!last || announcesExpiry(server)) return [];
    // several readers of a lock share one key, which ends once
    const leases = new Set(silent.map((event) => `${event.at} ${lockIdOf(event)}`)).size;
    return [findingOf(source, watched.watchedSince, server.keyEvents, last, leases)];
  },
};

function announcesExpiry({ keyEvents }: ServerFacts): boolean {
  return keyEvents !== null && /[KE]/.test(keyEvents) && /[Ax]/.test(keyEvents);
}

/**
 * `from`: since when the source has been watched, because it is not known when the setting changed. If CONFIG is
 * refused, the setting is not known, and the finding is a hint.
 */
function findingOf(
  source: string,
  from: RedisTime,
  flags: string | null,
  last: LockEvent,
  leases: number,
): FindingOf<'events-off'> {
  return {
    incident: 'events-off',
    severity: 'hint',
    confidence: flags === null ? 'hint' : 'certain',
    lockId: null,
    source,
    holders: [],
    from,
    to: null,
    selfHealsAt: null,
    events: [last.seq],
    values: { flags, lastLock: last.lock, leases },
  };
}
