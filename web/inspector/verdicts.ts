import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import type { ClientSight, Detector } from '../../shared/insights/detector.ts';
import { fairHeadDead } from '../../shared/insights/detectors/fair/fair-head-dead.ts';
import { failoverLockLost } from '../../shared/insights/detectors/lost/failover-lock-lost.ts';
import { holderCrashed } from '../../shared/insights/detectors/stuck/holder-crashed-wait-ttl.ts';
import type { Insight } from '../../shared/insights/insight.ts';
import { reportOf } from '../../shared/insights/run.ts';
import type { Say } from '../../shared/insights/words.ts';
import type { Holder, Lock } from '../../shared/wire/lock.ts';
import { personText, splitHolder } from '../../shared/wire/person-text.ts';
import { stateOf } from '../../shared/wire/state-of-lock.ts';
import { secondsText } from '../ui/time-text.ts';

/** The verdict about one holder whose client is gone; `undefined` if it is not known to be gone. */
export function crashOf(lock: Lock, holder: Holder): Insight | undefined {
  return verdictsOf({ ...lock, holders: [holder] }, holderCrashed)[0];
}

type Loss = Extract<Insight, { incident: 'failover-lock-lost' }>;

/** The verdicts about clients that do not know that they lost the lock. Clients that are gone do no harm. */
export function lossesOf(lock: Lock, now: RedisTime): Loss[] {
  return verdictsOf(lock, failoverLockLost, now).filter(
    (insight): insight is Loss => insight.incident === 'failover-lock-lost',
  );
}

/** The ids of the dead waiters that block the queue of a fair lock. */
export function blockersOf(lock: Lock): ReadonlySet<string> {
  return new Set(verdictsOf(lock, fairHeadDead).flatMap(({ holders }) => holders));
}

/** What a detector concludes from a lock as the page shows it. */
function verdictsOf(lock: Lock, detector: Detector, at = redisTime(lock.changedAt)): readonly Insight[] {
  const seen = new Map<string, ClientSight>();
  for (const { client, goneSince } of lock.waiters) {
    if (goneSince !== undefined) seen.set(client, { presence: 'gone', goneSince: redisTime(goneSince) });
  }
  for (const { client, presence, goneSince } of [...(lock.believers ?? []), ...lock.holders]) {
    seen.set(client, { presence, goneSince: goneSince === null ? null : redisTime(goneSince) });
  }
  const { insights } = reportOf(
    {
      at,
      locks: [stateOf(lock)],
      events: [],
      sources: new Map([[lock.source, { level: 'snapshot', watchedSince: redisTime(lock.changedAt) }]]),
      clientOf: (_source, client) => seen.get(client) ?? UNKNOWN,
    },
    [detector],
  );
  return insights;
}

const UNKNOWN: ClientSight = { presence: 'unknown', goneSince: null };

/** How the page writes the values of insights about a lock: people by their names, times in the viewer's time zone. */
export function sayOf({ holders, waiters, believers = [] }: Pick<Lock, 'holders' | 'waiters' | 'believers'>): Say {
  return {
    who(id) {
      const known = [...holders, ...waiters, ...believers].find((each) => each.id === id);
      const { client, thread, name } = known ?? { ...splitHolder(id), name: null };
      return personText(client, thread, name);
    },
    clock: (at) => secondsText(at),
  };
}
