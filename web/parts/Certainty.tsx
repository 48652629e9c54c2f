import type { Certainty } from '../../shared/events/event.ts';
import { useWords } from '../words/language.ts';

/** A mark for observed or inferred events. An inferred one is dotted. */
export function CertaintyMark({ certainty }: { certainty: Certainty }) {
  const { common } = useWords();
  return (
    <span className={`certainty is-${certainty}`} title={common.certaintyMeaning[certainty]}>
      {common.certainty[certainty]}
    </span>
  );
}
