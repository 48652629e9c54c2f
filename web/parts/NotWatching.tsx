import type { Source } from '../../shared/wire/source.ts';
import { useCutOffAt } from '../cursor/shown-instant.ts';
import { type NoSight, noSightOf } from '../data/live/sight.ts';
import { useLive, useLocalNow } from '../data/live/use-live.ts';
import { EmptyState } from '../ui/Notice.tsx';
import { secondsText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';

/** Returns why nothing is watched now; null while at least one source is watched. */
export function useNoSight(): NoSight | null {
  const link = useLive((state) => state.link);
  // the sources change every second: while one of them is watched, a change must not render the component again
  const sources = useLive((state) => (noSightOf(state) === null ? null : state.sources));
  return sources && noSightOf({ link, sources });
}

/** Replaces the contents of a page while nothing is watched. Every page shows the same text. */
export function NotWatching({ noSight }: { noSight: NoSight }) {
  const { overview } = useWords();
  const cutOffAt = useCutOffAt();
  if (noSight.kind === 'trouble') return <Troubled source={noSight.source} />;
  const isRefused = noSight.kind === 'refused';
  const title = cutOffAt === null ? overview.connecting : overview.cutOff(secondsText(cutOffAt));
  return (
    <EmptyState title={isRefused ? overview.refused : title}>
      <p>{isRefused ? overview.untilPlace : overview.untilServer}</p>
    </EmptyState>
  );
}

function Troubled({ source }: { source: Source }) {
  const { overview, states } = useWords();
  const mayNotRead = source.problem?.code === 'not-permitted';
  const isConnecting = source.problem === undefined;
  const title = mayNotRead ? overview.mayNotRead : overview.notWatching;
  const until = mayNotRead ? overview.untilRights : overview.seeAbove;
  return (
    <EmptyState title={isConnecting ? overview.connectingTo(source.url) : title}>
      <p>{isConnecting ? overview.untilRedis : until}</p>
      {source.problem && (
        <p>
          <NextTry source={source} /> {states.otherWays}
        </p>
      )}
    </EmptyState>
  );
}

/**
 * A countdown to the next attempt to connect to a source, or that Lockscope is trying. Renders nothing while the source
 * is observed, or if there will be no further attempt.
 */
export function NextTry({ source }: { source: Source }) {
  const { states } = useWords();
  const heardAt = useLive((state) => state.sourcesHeardAt);
  const now = useLocalNow();
  if (source.status === 'observing') return null;
  if (source.nextTryMs === undefined) return isGivenUp(source) ? null : states.retrying;
  const seconds = Math.ceil((heardAt + source.nextTryMs - now) / 1000);
  return seconds > 0 ? states.nextTry(seconds) : states.retryingNow;
}

/** True if Lockscope no longer restarts the observer of a source, after several failures in a row. */
function isGivenUp({ status, problem }: Source): boolean {
  return status === 'failed' && problem?.code === 'observer-ended';
}
