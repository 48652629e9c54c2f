import { useMemo } from 'react';
import type { ShownGraph } from '../data/queries/graph.ts';
import { EmptyState, Notice } from '../ui/Notice.tsx';
import { useWords } from '../words/language.ts';
import { CycleCard } from './CycleCard.tsx';
import { GraphPicture } from './GraphPicture.tsx';
import { ListenedLocks, useListenedLocks } from './ListenedLocks.tsx';
import { WaitTable } from './WaitTable.tsx';

/** The graph of one instant: deadlocks first, then the picture, and the list of all waits. */
export function GraphView({ graph, isPast }: { graph: ShownGraph; isPast: boolean }) {
  const { graph: texts } = useWords();
  const nodes = useMemo(() => new Map(graph.nodes.map((node) => [node.id, node])), [graph]);
  const isEmpty = !graph.edges.some(({ kind }) => kind === 'waits');
  const { more } = graph;
  if (isEmpty) return <NoWaits graph={graph} isPast={isPast} />;
  return (
    <>
      {graph.cannotTell.length > 0 && (
        <Notice tone="hint" title={texts.notAll}>
          <Reasons graph={graph} />
        </Notice>
      )}
      {graph.cycles.map((cycle) => (
        <CycleCard key={`${cycle.from} ${cycle.release.lockId}`} cycle={cycle} nodes={nodes} />
      ))}
      <div className="graph-columns">
        <section className="panel" aria-label={texts.title}>
          <GraphPicture graph={graph} />
          {graph.isByClient && <p className="quiet">{texts.byClient}</p>}
          <p className="quiet">{texts.noPermits}</p>
          {more && <p className="quiet">{texts.more(more.nodes, more.edges, more.cycles)}</p>}
        </section>
        <section className="panel graph-list as-cards">
          <h2>{texts.list}</h2>
          <WaitTable graph={graph} nodes={nodes} />
        </section>
      </div>
    </>
  );
}

/** Shown if no wait is known. If the threads of a source are hidden, that does not mean that no thread waits. */
function NoWaits({ graph, isPast }: { graph: ShownGraph; isPast: boolean }) {
  const { graph: texts, verdicts } = useWords();
  const listened = useListenedLocks();
  if (graph.cannotTell.length === 0) {
    return (
      <EmptyState title={isPast ? texts.noneThen : texts.none}>
        <p>{texts.noPermits}</p>
      </EmptyState>
    );
  }
  if (!isPast && listened.length > 0) return <ListenedLocks locks={listened} />;
  return (
    <EmptyState title={isPast ? texts.unknownThen : texts.unknown}>
      <Reasons graph={graph} />
      {!isPast && graph.cannotTell.some(({ reason }) => reason === 'level') && <p>{verdicts.change}</p>}
    </EmptyState>
  );
}

function Reasons({ graph: { cannotTell } }: { graph: ShownGraph }) {
  const { graph: texts } = useWords();
  return cannotTell.map(({ source, reason }) => <p key={source}>{texts.reason[reason](source)}</p>);
}
