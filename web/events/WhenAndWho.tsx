import { millisBetween, type RedisTime } from '../../shared/base/time.ts';
import { isOfSource, type LockEvent } from '../../shared/events/event.ts';
import { lockIdOf } from '../../shared/state/lock-state.ts';
import { useLive } from '../data/live/use-live.ts';
import { Person } from '../parts/Person.tsx';
import { NameText } from '../ui/NameText.tsx';
import { stepText } from '../ui/time-text.ts';
import { ListTime } from './ListTime.tsx';

type WhenAndWhoProps = {
  event: LockEvent;
  /** The instant of the event, or of the first event of a run. */
  at: RedisTime;
  before: LockEvent | undefined;
  holder: string | null;
  isOneLock: boolean;
  /** Shown instead of the lock's name: how many locks the row is about. */
  locks?: string;
};

/** The first cells of an event row: the instant, the time since the previous event, the lock and the holder. */
export function WhenAndWho({ event, at, before, holder, isOneLock, locks }: WhenAndWhoProps) {
  const hasManySources = useLive((state) => state.sources.length > 1);
  return (
    <>
      <td data-column="time">
        <ListTime at={at} source={event.source} />
      </td>
      <td data-column="step">{before ? stepText(millisBetween(before.at, at)) : '–'}</td>
      {!isOneLock && (
        <td data-column="lock">
          {locks ?? (isOfSource(event) ? '–' : <NameText text={event.lock} most={64} isOneLine />)}
          {hasManySources && <span className="where">{event.source}</span>}
        </td>
      )}
      <td data-column="holder">
        {holder === null ? (
          '–'
        ) : (
          <Person lockId={lockIdOf(event)} id={holder} letter={event.letter} most={28} isAmongLocks={!isOneLock} />
        )}
      </td>
    </>
  );
}
