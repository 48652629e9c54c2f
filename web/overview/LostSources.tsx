import { useContext } from 'react';
import type { RedisTime } from '../../shared/base/time.ts';
import { ShownInstant, useLastKnownAt } from '../cursor/shown-instant.ts';
import { lostSources } from '../data/live/sight.ts';
import { useLive } from '../data/live/use-live.ts';
import { useInsights } from '../data/queries/insights.ts';
import { LastKnown } from '../verdicts/LastKnown.tsx';

/** The last known problems of each source that is not watched now, while others are. Nothing at a past instant. */
export default function LostSources() {
  const shown = useContext(ShownInstant);
  const lost = useLive((state) => JSON.stringify(lostSources(state)));
  if (shown !== null) return null;
  const sources: readonly string[] = JSON.parse(lost);
  return sources.map((source) => <OfSource key={source} source={source} />);
}

function OfSource({ source }: { source: string }) {
  const at = useLastKnownAt(source);
  return at === null ? null : <AsKnownAt source={source} at={at} />;
}

function AsKnownAt({ source, at }: { source: string; at: RedisTime }) {
  const { data } = useInsights(at, source);
  return data ? <LastKnown at={at} insights={data.insights} source={source} /> : null;
}
