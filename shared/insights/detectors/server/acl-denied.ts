import { groupedBy } from '../../../base/grouped-by.ts';
import { OBSERVE_LEVELS } from '../../../base/observe-level.ts';
import { redisTime } from '../../../base/time.ts';
import type { DetailOf, LockEvent } from '../../../events/event.ts';
import type { SourceDetector, SourceView } from '../../detector.ts';
import type { FindingOf } from '../../insight.ts';
import { REFUSED_WITHIN_MS } from './newest-refusal.ts';

type Refused = LockEvent & DetailOf<'server.refused'>;

/** How many objects an insight names. */
const MOST_OBJECTS = 5;

/**
 * ACL LOG shows that a user may not use keys, channels or commands that its locks need. One insight for each user.
 *
 * If ACL LOG shows no denial, INFO may show one: SUBSCRIBE was refused with NOPERM, or a script died on its PUBLISH, so
 * a user may not use a channel. That user may have no locks, so the finding is a hint.
 */
export const aclDenied: SourceDetector<'acl-denied'> = {
  incident: 'acl-denied',
  effect: 'other',
  of: 'source',
  withoutCommands: 'same',
  levels: OBSERVE_LEVELS,
  wants: { types: ['server.denied', 'server.refused'], beside: [], withinMs: REFUSED_WITHIN_MS },
  detect(view) {
    const { source, server, events, watched } = view;
    const denied = events.filter((event) => event.type === 'server.denied');
    const byUser = groupedBy(denied, ({ user }) => user);
    const ofChannels = byUser.size === 0 ? channelsRefused(view) : [];
    if (ofChannels.length > 0) return ofChannels;
    if (byUser.size === 0 && !server) return 'server';
    // only scripts show whether the client of a refused command uses locks
    if (byUser.size === 0 && watched.level !== 'monitor') return 'level';
    return [...byUser].map(([user, denials]) => {
      const isGuess = denials.every((denial) => denial.isGuess);
      const { by = null, command = null, connection = null } = denials.at(-1) ?? {};
      return {
        incident: 'acl-denied',
        severity: isGuess ? 'warning' : 'critical',
        confidence: isGuess ? 'hint' : 'certain',
        lockId: null,
        source,
        holders: [],
        from: redisTime(Math.min(...denials.map(({ began }) => began))),
        to: null,
        selfHealsAt: null,
        events: denials.slice(-20).map(({ seq }) => seq),
        values: {
          user,
          reasons: newestLast(denials.map(({ reason }) => reason)),
          objects: newestLast(denials.map(({ object }) => object)).slice(-MOST_OBJECTS),
          ...{ command: command?.toUpperCase() ?? null, address: by, connection },
          inScript: denials.some(({ context }) => context === 'lua'),
          ...(isGuess ? { isGuess } : undefined),
        },
      };
    });
  },
};

/** Each value once, in the order of its last place in the list. */
function newestLast<T>(all: readonly T[]): T[] {
  return [...new Set(all.toReversed())].reverse();
}

/** What INFO shows about users that may not use channels, if there are locks of Redisson, which need channels. */
function channelsRefused(view: SourceView): FindingOf<'acl-denied'>[] {
  const { source, events } = view;
  const refused = events.filter(
    (event): event is Refused => event.type === 'server.refused' && commandsIn(event).length > 0,
  );
  const [first] = refused;
  if (!first || !view.locks.some(({ library }) => library === 'redisson')) return [];
  const commands = [...new Set(refused.flatMap(commandsIn))];
  return [
    {
      incident: 'acl-denied',
      severity: 'warning',
      confidence: 'hint',
      lockId: null,
      source,
      holders: [],
      from: first.since,
      to: null,
      selfHealsAt: null,
      events: refused.slice(-20).map(({ seq }) => seq),
      values: {
        ...{ user: null, reasons: ['channel'], objects: commands, inScript: commands.includes('PUBLISH') },
        ...{ command: null, address: null, connection: null },
      },
    },
  ];
}

/**
 * The commands that Redis refused because of their channel. A script that may not publish gets ERR or NOPERM, by
 * version.
 */
function commandsIn({ errors, rejected = {}, failed = {} }: Refused): readonly string[] {
  const hasFailedScript = 'eval' in failed || 'evalsha' in failed;
  const isPublish = 'publish' in rejected || 'spublish' in rejected;
  const isSubscribe = 'subscribe' in rejected || 'ssubscribe' in rejected;
  return [
    ...(hasFailedScript && isPublish && ('ERR' in errors || 'NOPERM' in errors) ? ['PUBLISH'] : []),
    ...(isSubscribe && 'NOPERM' in errors ? ['SUBSCRIBE'] : []),
  ];
}
