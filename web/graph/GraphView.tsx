import { useMemo } from 'react';
import type { ShownGraph } from '../data/queries/graph.ts';
import { EmptyState, Notice } from '../ui/Notice.tsx';
import { useWords } from '../words/language.ts';
import { CycleCard } from './CycleCard.tsx';
import { GraphPicture } from './GraphPicture.tsx';
import { WaitTable } from './WaitTable.tsx';

/** The graph of one instant: deadlocks first, then the picture, and the list of all waits. */
export function GraphView({ graph, isPast }: { graph: ShownGraph; isPast: boolean }) {
  const { graph: said } = useWords();
  const nodes = useMemo(() => new Map(graph.nodes.map((node) => [node.id, node])), [graph]);
  const isEmpty = !graph.edges.some(({ kind }) => kind === 'waits');
  const { more } = graph;
  if (isEmpty) return <NoWaits graph={graph} isPast={isPast} />;
  return (
    <>
      {graph.cannotTell.length > 0 && (
        <Notice tone="hint" title={said.notAll}>
          <Reasons graph={graph} />
        </Notice>
      )}
      {graph.cycles.map((cycle) => (
        <CycleCard key={`${cycle.from} ${cycle.release.lockId}`} cycle={cycle} nodes={nodes} />
      ))}
      <div className="graph-columns">
        <section className="panel" aria-label={said.title}>
          <GraphPicture graph={graph} />
          {graph.isByClient && <p className="quiet">{said.byClient}</p>}
          <p className="quiet">{said.noPermits}</p>
          {more && <p className="quiet">{said.more(more.nodes, more.edges, more.cycles)}</p>}
        </section>
        <section className="panel graph-list">
          <h2>{said.list}</h2>
          <WaitTable graph={graph} nodes={nodes} />
        </section>
      </div>
    </>
  );
}

/** No wait is known. That means that no thread waits only if the waiting threads of all sources can be seen. */
function NoWaits({ graph, isPast }: { graph: ShownGraph; isPast: boolean }) {
  const { graph: said, verdicts } = useWords();
  if (graph.cannotTell.length === 0) {
    return (
      <EmptyState title={isPast ? said.noneThen : said.none}>
        <p>{said.noPermits}</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={isPast ? said.unknownThen : said.unknown}>
      <Reasons graph={graph} />
      {!isPast && graph.cannotTell.some(({ reason }) => reason === 'level') && <p>{verdicts.change}</p>}
    </EmptyState>
  );
}

function Reasons({ graph: { cannotTell } }: { graph: ShownGraph }) {
  const { graph: said } = useWords();
  return cannotTell.map(({ source, reason }) => <p key={source}>{said.reason[reason](source)}</p>);
}
