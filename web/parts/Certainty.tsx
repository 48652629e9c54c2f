import type { Certainty } from '../../shared/events/event.ts';
import { secondsText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';

/** A mark for what is observed or inferred. An inferred one is dotted. `assumedSince`: of a lock. */
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
