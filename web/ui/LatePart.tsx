import { type ReactNode, Suspense } from 'react';
import { useWords } from '../words/language.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';

type LatePartProps = {
  /** The name of the part, for the message if it cannot be loaded or shown. Absent: "this part". */
  what?: string;
  /** Shown until the part is loaded. Absent: nothing. */
  opening?: ReactNode;
  children: ReactNode;
};

/** The place of a `lazyPart`: the rest of the page neither waits for the part nor fails with it. */
export function LatePart({ what, opening = null, children }: LatePartProps) {
  const { common } = useWords();
  return (
    <ErrorBoundary what={what ?? common.thisPart}>
      <Suspense fallback={opening}>{children}</Suspense>
    </ErrorBoundary>
  );
}
