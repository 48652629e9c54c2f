import type { DetailOf, LockEvent } from '../../../events/event.ts';
import { isTokenKind } from '../../../events/kinds/kinds.ts';
import type { LockDetector } from '../../detector.ts';
import { LOST_WITHIN_MS, lastBefore } from '../lost/overlap.ts';

type Incident = 'taken-twice-released-once';

/**
 * Libraries that use, or may use, one token for each client. With other libraries, two acquisitions with one token are
 * on purpose: the application passed that token itself.
 */
const CLIENT_TOKENS: ReadonlySet<string> = new Set(['spring-integration', 'unknown']);
type Refused = LockEvent & DetailOf<'unlock.refused'>;

/**
 * A client acquired a lock that it held already, released it once, and its second unlock was refused: Redis has one
 * token for the client and does not count. Two threads may have worked at once, for example because the client's
 * registry had forgotten the lock. If a single thread re-enters the lock, the client counts that itself, and sends one
 * release.
 */
export const takenTwice: LockDetector<Incident> = {
  incident: 'taken-twice-released-once',
  effect: 'other',
  of: 'lock',
  withoutCommands: 'nothing',
  levels: ['monitor'],
  wants: {
    types: ['unlock.refused'],
    beside: ['lock.acquired', 'lock.reentered', 'lock.released'],
    withinMs: LOST_WITHIN_MS,
  },
  concerns: ({ kind, library }) => isTokenKind(kind) && (library === null || CLIENT_TOKENS.has(library)),
  detect({ lockId, events }) {
    return events.flatMap((refused) => {
      if (refused.type !== 'unlock.refused' || refused.reason === 'error') return [];
      const found = secondTakeBefore(refused, events);
      if (!found) return [];
      const { again, released } = found;
      return [
        {
          incident: 'taken-twice-released-once',
          severity: 'hint',
          confidence: 'likely',
          lockId,
          holders: [refused.holder],
          from: again.at,
          to: refused.at,
          selfHealsAt: null,
          events: [again.seq, released.seq, refused.seq],
          values: { holder: refused.holder, againAt: again.at, releasedAt: released.at, refusedAt: refused.at },
        },
      ];
    });
  },
};

/** The second acquisition of a hold, and the release that ended it, before the holder's next unlock was refused. */
function secondTakeBefore(refused: Refused, events: readonly LockEvent[]) {
  const isOwn = (event: LockEvent) => 'holder' in event && event.holder === refused.holder;
  const released = lastBefore(refused, events, (event) => isOwn(event) && event.type !== 'lock.reentered');
  if (released?.type !== 'lock.released') return undefined;
  const again = lastBefore(released, events, isOwn);
  return again?.type === 'lock.reentered' ? { again, released } : undefined;
}
