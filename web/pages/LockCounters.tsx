import type { RedisTime } from '../../shared/base/time.ts';
import type { LockCounts } from '../inspector/lock-list.ts';
import { countText, secondsText } from '../ui/time-text.ts';
import { WithStrong } from '../ui/WithStrong.tsx';
import { useWords } from '../words/language.ts';

type LockCountersProps = {
  counts: LockCounts;
  /** How many locks there are, loaded or not. */
  total: number;
  seesWaiters: boolean;
  /** Why held locks may be missing. */
  missing?: string | undefined;
  /** Set where nothing is watched any longer: the counts are as of then. */
  stopped?: RedisTime | null;
};

/** How many locks are held, waited for, and known. */
export function LockCounters({ counts, total, seesWaiters, missing, stopped = null }: LockCountersProps) {
  const { overview } = useWords();
  const isPart = missing !== undefined || total > counts.locks;
  const held = countText(counts.held);
  return (
    <p className={stopped === null ? 'counters' : 'counters is-stopped'}>
      {stopped !== null && <span>{overview.asOf(secondsText(stopped))}</span>}
      {(!isPart || counts.held > 0) && (
        <span>
          <WithStrong text={(isPart ? overview.heldAtLeast : overview.held)(held)} strong={held} />
        </span>
      )}
      <WaitingCount counts={counts} seesWaiters={seesWaiters} />
      <span className="quiet">
        {total > counts.locks ? overview.loaded(countText(counts.locks), countText(total)) : overview.seen(total)}
      </span>
      {missing !== undefined && <span className="quiet">{missing}</span>}
    </p>
  );
}

/** How many wait; where waiters are hidden, what is known of them. */
function WaitingCount({ counts, seesWaiters }: { counts: LockCounts; seesWaiters: boolean }) {
  const { overview } = useWords();
  const { waiters, listeners } = counts;
  const say = seesWaiters ? overview.waiting : overview.waitingAtLeast;
  return (
    <>
      {(seesWaiters || waiters > 0) && (
        <span>
          <WithStrong text={say(countText(waiters))} strong={countText(waiters)} />
        </span>
      )}
      {listeners > 0 && (
        <span>
          <WithStrong text={overview.listening(countText(listeners))} strong={countText(listeners)} />
        </span>
      )}
      {!seesWaiters && waiters + listeners === 0 && (
        <span className="quiet" title={overview.waitersHiddenWhy}>
          {overview.waitersHidden}
        </span>
      )}
    </>
  );
}
