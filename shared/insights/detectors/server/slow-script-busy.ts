import { OBSERVE_LEVELS } from '../../../base/observe-level.ts';
import { millisBetween, plusMillis } from '../../../base/time.ts';
import type { DetailOf, LockEvent } from '../../../events/event.ts';
import { clientOf } from '../../../events/names/names.ts';
import type { SourceDetector, SourceView } from '../../detector.ts';
import type { FindingOf } from '../../insight.ts';

type Incident = 'slow-script-busy';

const WITHIN_MS = 600_000;
/** Right after a standstill, Redis removes the keys whose lease ended in it. */
const AFTER_MS = 1000;
/** Clients of Redisson wait this long for an answer, by default. */
const LONG_MS = 3000;

type Standstill = LockEvent & DetailOf<'server.stood-still'>;

/**
 * Redis did not run commands: leases ended, renewals had no effect, and calls timed out. The locks are not the cause.
 */
export const slowScriptBusy: SourceDetector<Incident> = {
  incident: 'slow-script-busy',
  effect: 'slow',
  of: 'source',
  withoutCommands: 'same',
  levels: OBSERVE_LEVELS,
  wants: { types: ['server.stood-still', 'lease.expired'], beside: [], withinMs: WITHIN_MS },
  detect(view) {
    const { source, server, events, lockEvents } = view;
    const stops = events.filter((event): event is Standstill => event.type === 'server.stood-still');
    const isUnseen = !server || (server.arePausesUnseen && server.pausedSince === undefined);
    if (stops.length === 0 && isUnseen) return 'server';
    const ended = stops.map(({ seq, from, to, command, by, shownBy, isOfWrites }): FindingOf<Incident> => {
      const ended = lockEvents.filter(
        (event) => event.type === 'lease.expired' && event.at > from && event.at <= plusMillis(to, AFTER_MS),
      );
      const holders = ended.flatMap((event) => ('holder' in event && event.holder !== undefined ? [event.holder] : []));
      const lengthMs = millisBetween(from, to);
      return {
        incident: 'slow-script-busy',
        severity: ended.length > 0 ? 'critical' : lengthMs >= LONG_MS ? 'warning' : 'hint',
        confidence: shownBy === 'clients' || (shownBy === 'pause' && !isOfWrites) ? 'likely' : 'certain',
        lockId: null,
        source,
        holders: holders.slice(0, 20),
        from,
        ...(isOfWrites ? { isAtLeast: true } : undefined),
        to,
        selfHealsAt: null,
        events: [seq, ...ended.slice(0, 19).map((event) => event.seq)],
        values: {
          lengthMs,
          endedAt: to,
          pause: shownBy !== 'pause' ? null : isOfWrites ? 'writes' : 'all',
          command: command ?? null,
          by: by ?? null,
          expired: ended.length,
          clients: new Set(holders.map(clientOf)).size,
        },
      };
    });
    return [...pauseNow(view), ...ended];
  },
};

/** The finding about a CLIENT PAUSE that makes clients wait now. The pause may have begun up to one report earlier. */
function pauseNow(view: SourceView): FindingOf<Incident>[] {
  const { source, server } = view;
  const { pausedSince: from, pausedUntil = null } = server ?? {};
  if (from === undefined) return [];
  const values = { command: 'CLIENT PAUSE', by: null, expired: 0, clients: 0, endedAt: null, pause: 'writes' } as const;
  return [
    {
      ...{ incident: 'slow-script-busy', severity: 'warning', confidence: 'certain', lockId: null, source },
      ...{ holders: [], from, isAtLeast: true, to: null, selfHealsAt: pausedUntil, events: [] },
      values: { ...values, lengthMs: millisBetween(from, view.now) },
    },
  ];
}
