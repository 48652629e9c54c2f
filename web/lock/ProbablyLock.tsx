import type { Lock } from '../../shared/wire/locks/lock.ts';
import { useOwnLocks } from '../data/queries/level-orders.ts';
import { useHealth } from '../data/queries/queries.ts';
import { Notice } from '../ui/Notice.tsx';
import { isWatchedElsewhere } from '../url/base-path.ts';
import { useWords } from '../words/language.ts';

/**
 * Shows why a key that no known library uses is listed as a lock, and lets the user confirm or dismiss it, except
 * in a recording or a viewer. Renders nothing for other locks.
 */
export function ProbablyLock({ lock }: { lock: Lock }) {
  const { common, lock: texts, lockPage } = useWords();
  const decide = useOwnLocks();
  const isRecorded = useHealth(({ sources }) =>
    sources.some(({ id, recording }) => id === lock.source && recording !== undefined),
  );
  const mayAnswer = isRecorded.data !== true && !isWatchedElsewhere;
  const { evidence, source, name } = lock;
  if (!evidence) return null;
  const button = (isLock: boolean) => (
    <button
      type="button"
      className={isLock ? 'button is-small is-primary' : 'button is-small'}
      disabled={decide.isPending}
      onClick={() => decide.mutate({ source, name, isLock })}
    >
      {isLock ? lockPage.itIsALock : lockPage.itIsNoLock}
    </button>
  );
  return (
    <Notice
      tone="hint"
      title={texts.probably}
      actions={
        mayAnswer && (
          <>
            {button(true)}
            {button(false)}
          </>
        )
      }
    >
      {common.sentences([
        ...evidence.map((sign) => texts.evidence[sign]),
        lockPage.evidenceHint,
        ...(mayAnswer ? [lockPage.answerHint] : []),
      ])}
    </Notice>
  );
}
