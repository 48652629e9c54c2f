import type { RedisTime } from '../../shared/base/time.ts';
import type { LockCounts } from '../locks/lock-list.ts';
import { countText, secondsText } from '../ui/time-text.ts';
import { WithStrong } from '../ui/WithStrong.tsx';
import { useWords } from '../words/language.ts';

type LockCountersProps = {
  counts: LockCounts;
  /** Number of known locks, loaded or not. */
  total: number;
  /**
   * Number of held locks, loaded or not, by the last count of the server. Absent or null: only loaded locks are
   * counted.
   */
  heldInAll?: number | null;
  seesWaiters: boolean;
  /** The reason why held locks may be missing. */
  missing?: string | undefined;
  /** Set if no source is watched any longer: the instant of the counts. */
  stopped?: RedisTime | null;
};

const UNKNOWN = '–';

/** Shown instead of the counts while nothing is known. */
export function UnknownCounters() {
  const { overview } = useWords();
  return (
    <p className="counters">
      <span>
        <WithStrong text={overview.held(UNKNOWN)} strong={UNKNOWN} />
      </span>
    </p>
  );
}

/** Counts of held locks, waiters and known locks. */
export function LockCounters(props: LockCountersProps) {
  const { counts, total, heldInAll = null, seesWaiters, missing, stopped = null } = props;
  const { overview } = useWords();
  const isPart = missing !== undefined || (total > counts.locks && heldInAll === null);
  const known = heldInAll ?? counts.held;
  // While some locks may be missing, a count of zero is not certain.
  const held = isPart && known === 0 ? UNKNOWN : countText(known);
  const isAtLeast = isPart && known > 0;
  return (
    <p className={stopped === null ? 'counters' : 'counters is-stopped'}>
      {stopped !== null && <span>{overview.asOf(secondsText(stopped))}</span>}
      <span>
        <WithStrong text={(isAtLeast ? overview.heldAtLeast : overview.held)(held)} strong={held} />
      </span>
      <WaitingCount counts={counts} seesWaiters={seesWaiters} />
      <span className="quiet">
        {total > counts.locks ? overview.loaded(countText(counts.locks), countText(total)) : overview.seen(total)}
      </span>
      {missing !== undefined && <span className="quiet">{missing}</span>}
    </p>
  );
}

/**
 * The number of known waiters, as a lower limit if waiters may be hidden, and the number of clients that listen for the
 * release of other locks. If both are 0 and waiters may be hidden, that waiters are hidden.
 */
function WaitingCount({ counts, seesWaiters }: { counts: LockCounts; seesWaiters: boolean }) {
  const { overview, lock } = useWords();
  const { waiters, listeners } = counts;
  const say = seesWaiters ? overview.waiting : overview.waitingAtLeast;
  return (
    <>
      {(waiters > 0 || (seesWaiters && listeners === 0)) && (
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
        <span className="quiet" title={lock.waitersHiddenWhy}>
          {overview.waitersHidden}
        </span>
      )}
    </>
  );
}
