import type { ComponentProps } from 'react';
import { LatePart } from '../ui/LatePart.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { useWords } from '../words/language.ts';
import type OverviewTrends from './OverviewTrends.tsx';

type TrendsProps = ComponentProps<typeof OverviewTrends>;

const Panel = lazyPart<TrendsProps>(() => import('./OverviewTrends.tsx'));

/** The trends beside the table of locks. The table does not wait for the trends. */
export function Trends(props: TrendsProps) {
  const { frame } = useWords();
  const opening = (
    <section className="panel trend-panel">
      <p className="quiet">{frame.openingPart}</p>
    </section>
  );
  return (
    <LatePart opening={opening}>
      <Panel {...props} />
    </LatePart>
  );
}
