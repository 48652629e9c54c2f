import { Suspense } from 'react';
import { useDumpWork } from '../../data/dump-work.ts';
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';

const DumpDialog = lazyPart(() => import('./DumpDialog.tsx'));

import { useWords } from '../../words/language.ts';

/** The dialog about thread dumps, while it is open. It is loaded when first opened. */
export function OpenDumpDialog() {
  const work = useDumpWork();
  const { common } = useWords();
  return (
    work && (
      <ErrorBoundary what={common.thisPart}>
        <Suspense>
          <DumpDialog work={work} />
        </Suspense>
      </ErrorBoundary>
    )
  );
}
