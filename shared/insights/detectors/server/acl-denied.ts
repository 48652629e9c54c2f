import { OBSERVE_LEVELS } from '../../../base/observe-level.ts';
import { redisTime } from '../../../base/time.ts';
import type { DetailOf, LockEvent } from '../../../events/event.ts';
import type { SourceDetector } from '../../detector.ts';

const WITHIN_MS = 600_000;

type Denied = LockEvent & DetailOf<'server.denied'>;

/** How many objects an insight names. */
const MOST_OBJECTS = 5;

/** ACL LOG shows that a user may not use keys, channels or commands that its locks need. One insight for each user. */
export const aclDenied: SourceDetector<'acl-denied'> = {
  incident: 'acl-denied',
  effect: 'other',
  of: 'source',
  needs: ['server'],
  withoutCommands: 'same',
  levels: OBSERVE_LEVELS,
  wants: { types: ['server.denied'], beside: [], withinMs: WITHIN_MS },
  detect({ source, server, events, watched }) {
    const byUser = new Map<string, Denied[]>();
    for (const event of events) {
      if (event.type === 'server.denied') byUser.set(event.user, [...(byUser.get(event.user) ?? []), event]);
    }
    if (byUser.size === 0 && !server) return 'server';
    // a refused command is only known to be of a client of locks if its scripts are seen
    if (byUser.size === 0 && watched.level !== 'monitor') return 'level';
    return [...byUser].map(([user, denials]) => {
      const objects = [...new Set(denials.map(({ object }) => object))];
      return {
        incident: 'acl-denied',
        severity: 'critical',
        confidence: 'certain',
        lockId: null,
        source,
        holders: [],
        from: redisTime(Math.min(...denials.map(({ began }) => began))),
        to: null,
        selfHealsAt: null,
        events: denials.slice(-20).map(({ seq }) => seq),
        values: {
          user,
          reasons: [...new Set(denials.map(({ reason }) => reason))],
          objects: objects.slice(-MOST_OBJECTS),
          inScript: denials.some(({ context }) => context === 'lua'),
        },
      };
    });
  },
};
