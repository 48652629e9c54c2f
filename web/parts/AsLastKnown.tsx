import type { ReactNode } from 'react';
import type { RedisTime } from '../../shared/base/time.ts';
import { ShownInstant, useLastKnownAt } from '../cursor/shown-instant.ts';
import type { NoSight } from '../data/live/sight.ts';
import { useLive } from '../data/live/use-live.ts';
import { secondsText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import { NotWatching } from './NotWatching.tsx';

type AsLastKnownProps = {
  noSight: NoSight;
  /** The part as it was at an instant. */
  children: (at: RedisTime) => ReactNode;
};

/**
 * A part of a page while nothing is watched: as it was at the last instant at which its Redis was watched, with that
 * instant. Without such an instant: why nothing is watched.
 */
export function AsLastKnown({ noSight, children }: AsLastKnownProps) {
  const { overview, verdicts } = useWords();
  const source = noSight.kind === 'trouble' ? noSight.source.id : undefined;
  const at = useLastKnownAt(source);
  const hasManySources = useLive(({ sources }) => sources.length > 1);
  if (at === null || source === undefined) return <NotWatching noSight={noSight} />;
  const clock = secondsText(at);
  return (
    <ShownInstant value={at}>
      <p className="quiet">{hasManySources ? verdicts.lastKnownOf(clock, source) : overview.asOf(clock)}</p>
      {children(at)}
    </ShownInstant>
  );
}
