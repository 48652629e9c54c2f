import { type Millis, plusMillis } from '../../../base/time.ts';
import { KINDS } from '../../../events/kinds/kinds.ts';
import { type LockDetector, SHOWN_AFTER_MS } from '../../detector.ts';

type Incident = 'thundering-herd';

/** Fewer refusals for each release are normal: at a plain lock, a message wakes one thread of each client. */
const LEAST_REFUSED = 8;
/** Fewer releases show no pattern. */
const LEAST_RELEASES = 5;
/** If no woken attempt is refused within this time, the problem is over. */
const OVER_AFTER_MS: Millis = 5000;

/** Each release wakes many threads, and most of them are refused. Only refused attempts show that. */
export const thunderingHerd: LockDetector<Incident> = {
  incident: 'thundering-herd',
  effect: 'slow',
  of: 'lock',
  withoutCommands: 'nothing',
  levels: ['monitor'],
  detect({ lock, lockId, isPast }) {
    const herd = lock.notes?.herd;
    if (!herd || herd.releases < LEAST_RELEASES || herd.refused < LEAST_REFUSED * herd.releases) return [];
    if (isPast(plusMillis(herd.at, SHOWN_AFTER_MS))) return [];
    const { since: from, releases, refused } = herd;
    return [
      {
        incident: 'thundering-herd',
        ...{ severity: 'warning', confidence: 'certain', lockId, holders: [], from },
        to: isPast(plusMillis(herd.at, OVER_AFTER_MS)) ? herd.at : null,
        selfHealsAt: null,
        events: lock.waiters.flatMap(({ firstSeq }) => firstSeq ?? []).slice(0, 20),
        values: { releases, refused, isReadWrite: KINDS[lock.kind].hasReaders === true },
      },
    ];
  },
};
