import type { Certainty } from '../../shared/events/event.ts';
import { secondsText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';

/**
 * A mark for a state that is observed, or inferred (dotted). `assumedSince`: since when the state of a lock is only
 * assumed.
 */
export function CertaintyMark(of: { certainty: Certainty; assumedSince?: number | undefined }) {
  const { certainty, assumedSince: since } = of;
  const { common } = useWords();
  const meaning = since === undefined ? common.certaintyMeaning[certainty] : common.assumedSince(secondsText(since));
  return (
    <span className={`certainty is-${certainty}`} title={meaning}>
      {common.certainty[certainty]}
    </span>
  );
}
