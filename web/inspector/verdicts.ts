import { redisTime } from '../../shared/base/time.ts';
import { holderCrashed } from '../../shared/insights/detectors/holder-crashed-wait-ttl.ts';
import type { Insight } from '../../shared/insights/insight.ts';
import { reportOf } from '../../shared/insights/run.ts';
import type { Say } from '../../shared/insights/words.ts';
import type { Holder, Lock } from '../../shared/wire/lock.ts';
import { stateOf } from '../../shared/wire/state-of-lock.ts';
import { secondsText } from '../ui/time-text.ts';
import { personText, splitHolder } from './lock-words.ts';

/** The verdict about one holder whose client is gone; `undefined` if it is not known to be gone. */
export function crashOf(lock: Lock, holder: Holder): Insight | undefined {
  const { presence, goneSince } = holder;
  const at = redisTime(lock.changedAt);
  const seen = { presence, goneSince: goneSince === null ? null : redisTime(goneSince) };
  const { insights } = reportOf(
    {
      at,
      locks: [stateOf({ ...lock, holders: [holder] })],
      events: [],
      sources: new Map([[lock.source, { level: 'snapshot', watchedSince: at }]]),
      clientOf: () => seen,
    },
    [holderCrashed],
  );
  return insights[0];
}

/** How the page writes the values of insights about a lock: people by their names, times in the viewer's time zone. */
export function sayOf({ holders, waiters }: Pick<Lock, 'holders' | 'waiters'>): Say {
  return {
    who(id) {
      const known = [...holders, ...waiters].find((each) => each.id === id);
      const { client, thread, name } = known ?? { ...splitHolder(id), name: null };
      return personText(client, thread, name);
    },
    clock: (at) => secondsText(at),
  };
}
