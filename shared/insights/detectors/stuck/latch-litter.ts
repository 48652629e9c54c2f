import { groupedBy } from '../../../base/grouped-by.ts';
import { type Millis, plusMillis } from '../../../base/time.ts';
import type { SourceDetector } from '../../detector.ts';
import type { FindingOf } from '../../insight.ts';

type Incident = 'latch-litter';

/** For how long such unlocks are looked at. */
const WITHIN_MS: Millis = 10 * 60_000;
/** How many events of one finding are listed: the newest. */
const MOST_EVENTS = 10;

/**
 * Redisson 3.52.0 to 4.2.0 leaves the latch of each unlock behind: a key that Redis keeps until it expires. One finding
 * for each client.
 */
export const latchLitter: SourceDetector<Incident> = {
  incident: 'latch-litter',
  effect: 'other',
  of: 'source',
  withoutCommands: 'nothing',
  levels: ['monitor'],
  wants: { types: ['unlock.latch-left'], beside: [], withinMs: WITHIN_MS },
  detect({ source, hasCome, events }) {
    const latches = events.filter((event) => event.type === 'unlock.latch-left');
    const byClient = groupedBy(latches, ({ client }) => client);
    return [...byClient].flatMap(([client, left]): FindingOf<Incident>[] => {
      const last = left.at(-1);
      if (!last) return [];
      const { since, unlocks, keys, keptMs } = last;
      const goneAt = plusMillis(last.at, keptMs);
      const areGone = hasCome(goneAt);
      return [
        {
          incident: 'latch-litter',
          severity: 'hint',
          confidence: 'certain',
          lockId: null,
          source,
          holders: [client],
          from: since,
          to: areGone ? goneAt : null,
          selfHealsAt: null,
          events: left.slice(-MOST_EVENTS).map(({ seq }) => seq),
          values: { client, since, unlocks, keys: areGone ? 0 : keys, keptMs },
        },
      ];
    });
  },
};
