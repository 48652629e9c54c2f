import '../graph/graph.css';
import { redisTime } from '../../shared/base/time.ts';
import { AsOfBanner } from '../cursor/AsOfBanner.tsx';
import { useCursor } from '../cursor/cursor.ts';
import { ForgottenInstant } from '../cursor/ForgottenInstant.tsx';
import { LinkNotices } from '../cursor/LinkNotices.tsx';
import { useMomentLink } from '../cursor/use-moment-link.ts';
import { problemFromError } from '../data/http/http.ts';
import { useGraph } from '../data/queries/graph.ts';
import { forgottenOf } from '../data/queries/past-locks.ts';
import { GraphView } from '../graph/GraphView.tsx';
import { AsLastKnown } from '../parts/AsLastKnown.tsx';
import { useNoSight } from '../parts/NotWatching.tsx';
import { EmptyState } from '../ui/Notice.tsx';
import type { GraphRoute } from '../url/route.ts';
import { useWords } from '../words/language.ts';
import { BlockingTabs } from './BlockingTabs.tsx';

/** Which thread waits for which, over all locks, now or at the cursor. */
export default function GraphPage({ route }: { route: GraphRoute }) {
  useMomentLink(route);
  const cursor = useCursor();
  const { graph: texts } = useWords();
  const noSight = useNoSight();
  const at = cursor.mode === 'paused' ? cursor.at : null;
  return (
    <div className="page">
      <header className="page-head">
        <h1 tabIndex={-1}>{texts.title}</h1>
        <BlockingTabs shown="chain" />
      </header>
      <LinkNotices route={route} />
      <AsOfBanner />
      {noSight && at === null ? (
        <AsLastKnown noSight={noSight}>{(lastKnownAt) => <GraphAt at={lastKnownAt} />}</AsLastKnown>
      ) : (
        <GraphAt at={at} />
      )}
    </div>
  );
}

function GraphAt({ at }: { at: number | null }) {
  const words = useWords();
  const { data, error } = useGraph(at);
  const forgotten = forgottenOf(error);
  if (forgotten && at !== null) return <ForgottenInstant at={redisTime(at)} forgotten={forgotten} />;
  if (error) {
    const { message, hint } = problemFromError(error, words);
    return (
      <EmptyState title={message}>
        <p>{hint}</p>
      </EmptyState>
    );
  }
  return data ? <GraphView graph={data} isPast={at !== null} /> : <EmptyState title={words.graph.reading} />;
}
