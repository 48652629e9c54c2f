import type { RedisTime } from '../../shared/base/time.ts';
import { useIsOpenRecording } from '../data/live/use-live.ts';
import type { Forgotten } from '../data/queries/past-locks.ts';
import { EmptyState } from '../ui/Notice.tsx';
import { millisText, secondsText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import { followNow, pauseAt } from './cursor.ts';

/** Reports that an instant is no longer in memory, with buttons to the oldest instant in memory and to now. */
export function ForgottenInstant({ at, forgotten }: { at: RedisTime; forgotten: Forgotten }) {
  const { moment: words, pastInstant } = useWords();
  const isRecording = useIsOpenRecording();
  const { oldestAt } = forgotten;
  return (
    <EmptyState
      title={words.forgotten(millisText(at))}
      actions={
        <>
          {oldestAt !== null && (
            <button type="button" className="button is-primary" onClick={() => pauseAt(oldestAt)}>
              {pastInstant.toOldest}
            </button>
          )}
          <button type="button" className="button" onClick={followNow}>
            {isRecording ? pastInstant.toEnd : words.goLive}
          </button>
        </>
      }
    >
      <p>{oldestAt === null ? pastInstant.memoryEmpty : words.memoryBack(secondsText(oldestAt))}</p>
      <p>{pastInstant.ifRecorded}</p>
    </EmptyState>
  );
}
