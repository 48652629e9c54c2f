import { type Millis, plusMillis } from '../../../base/time.ts';
import type { LockEvent } from '../../../events/event.ts';
import { clientOf } from '../../../events/names/names.ts';
import type { SourceDetector } from '../../detector.ts';
import type { FindingOf } from '../../insight.ts';

type Incident = 'replica-sync-tax';
type Awaited = Extract<LockEvent, { type: 'replicas.awaited' }>;

const WITHIN_MS: Millis = 60_000;
/** If there is no long wait for this time, the problem is over. */
const QUIET_MS: Millis = 30_000;
/** A shorter wait is normal, even for a replica in another region. */
const LONG_MS: Millis = 250;
/** Fewer long waits are not reported. */
const MANY = 3;
const MOST_HOLDERS = 20;

/**
 * After its lock scripts, a client waits long for replicas to confirm them, so each of its calls takes long.
 *
 *   unlock WAIT 1 1000 ······ DEL latch      a slow replica; below the limit, maybe a slow client
 *   lock   WAIT 1 1000 ············· INFO    no replica confirmed it
 */
export const replicaSyncTax: SourceDetector<Incident> = {
  incident: 'replica-sync-tax',
  effect: 'slow',
  of: 'source',
  withoutCommands: 'nothing',
  levels: ['monitor'],
  wants: { types: ['replicas.awaited'], beside: [], withinMs: WITHIN_MS },
  detect({ source, isPast, server, lockEvents }) {
    const clients = new Map<string, Awaited[]>();
    for (const event of lockEvents) {
      if (event.type !== 'replicas.awaited' || event.tookMs < LONG_MS) continue;
      const client = clientOf(event.holder);
      clients.set(client, [...(clients.get(client) ?? []), event]);
    }
    return [...clients].flatMap(([client, waits]): FindingOf<Incident>[] => {
      const newest = waits.at(-1);
      if (!newest) return [];
      // waits before a pause belong to an earlier finding, which has ended
      const own = waits.filter(({ began }) => began === newest.began);
      if (own.length < MANY) return [];
      const lengths = own.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
      const ended = own.filter(({ limitMs, tookMs }) => limitMs > 0 && tookMs >= limitMs).length;
      return [
        {
          incident: 'replica-sync-tax',
          severity: 'warning',
          confidence: ended >= MANY ? 'certain' : 'likely',
          lockId: null,
          source,
          holders: [...new Set(own.map(({ holder }) => holder))].slice(0, MOST_HOLDERS),
          from: newest.began,
          to: isPast(plusMillis(newest.at, QUIET_MS)) ? newest.at : null,
          selfHealsAt: null,
          events: own.map(({ seq }) => seq).slice(-MOST_HOLDERS),
          values: {
            client,
            since: newest.began,
            times: newest.times,
            medianMs: lengths[Math.floor(lengths.length / 2)] ?? 0,
            longestMs: lengths.at(-1) ?? 0,
            ended,
            recent: own.length,
            limitMs: newest.limitMs,
            replicas: newest.replicas,
            connected: server?.replicas ?? null,
          },
        },
      ];
    });
  },
};
