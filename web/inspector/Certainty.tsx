import type { Certainty } from '../../shared/events/event.ts';

const MEANING: Readonly<Record<Certainty, string>> = {
  observed: 'Redis said so.',
  inferred: 'Concluded from what Redis said, not said by Redis itself.',
};

/** How something is known. What was inferred is dotted, and says so. */
export function CertaintyMark({ certainty }: { certainty: Certainty }) {
  return (
    <span className={`certainty is-${certainty}`} title={MEANING[certainty]}>
      {certainty}
    </span>
  );
}
