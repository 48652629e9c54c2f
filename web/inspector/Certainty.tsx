import type { Certainty } from '../../shared/events/event.ts';
import { useWords } from '../words/language.ts';

/** How something is known. What was inferred is dotted, and says so. */
export function CertaintyMark({ certainty }: { certainty: Certainty }) {
  const { events } = useWords();
  return (
    <span className={`certainty is-${certainty}`} title={events.certaintyMeaning[certainty]}>
      {events.certainty[certainty]}
    </span>
  );
}
