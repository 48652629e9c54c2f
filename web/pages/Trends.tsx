import { type ComponentProps, Suspense } from 'react';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { useWords } from '../words/language.ts';
import type OverviewTrends from './OverviewTrends.tsx';

type TrendsProps = ComponentProps<typeof OverviewTrends>;

const Panel = lazyPart<TrendsProps>(() => import('./OverviewTrends.tsx'));

/** The trends beside the table of locks, which does not wait for them. */
export function Trends(props: TrendsProps) {
  const { common, frame } = useWords();
  const opening = (
    <section className="panel trend-panel">
      <p className="quiet">{frame.openingPart}</p>
    </section>
  );
  return (
    <ErrorBoundary what={common.thisPart}>
      <Suspense fallback={opening}>
        <Panel {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}
