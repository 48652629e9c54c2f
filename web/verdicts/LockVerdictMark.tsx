import type { Lock } from '../../shared/wire/locks/lock.ts';
import { useFromShownNow } from '../cursor/shown-instant.ts';
import { secondsText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import type { Words } from '../words/words.ts';
import { useLockVerdict } from './found-insights.tsx';
import { isAskedFor } from './lock-verdict.ts';

/** The verdict about a lock in a word, for the table of locks. */
export function LockVerdictMark({ lock }: { lock: Lock }) {
  const { verdicts: texts } = useWords();
  const verdict = useLockVerdict(lock);
  if (!verdict) return null;
  const { word, until, isBad, isCritical } = verdict;
  const again = lock.refusedAgain;
  return (
    <span
      className={`lock-verdict ${isCritical ? 'is-critical' : isBad ? 'is-bad' : `is-${word}`}`}
      title={word === 'asked' && again ? askedText(again, texts) : texts.ofMeaning[word]}
    >
      {texts.of[word]}
      {isBad && until !== null && <span className="verdict-until">{texts.until(secondsText(until))}</span>}
    </span>
  );
}

/** How often threads attempted the lock and were refused, if it is not known whether they wait; else `none`. */
export function AskedFor({ lock, none }: { lock: Lock; none: string }) {
  const { verdicts: texts } = useWords();
  const isAsked = useFromShownNow(lock.source, (now) => now !== null && isAskedFor(lock, now));
  return isAsked && lock.refusedAgain ? askedText(lock.refusedAgain, texts) : none;
}

function askedText(
  { threads, attempts, since }: NonNullable<Lock['refusedAgain']>,
  { ofMeaning, askedBy }: Words['verdicts'],
): string {
  return `${askedBy(threads, attempts, secondsText(since))} ${ofMeaning.asked}`;
}
