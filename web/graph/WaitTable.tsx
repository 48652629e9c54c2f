import type { ShownGraph } from '../data/queries/graph.ts';
import { PlainTable } from '../ui/PlainTable.tsx';
import { secondsText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import { LockLink } from './CycleCard.tsx';
import { type WireEdge, type WireNode, waitRows } from './folded.ts';
import { GraphPerson } from './GraphPerson.tsx';

/** The most waits listed; also the most threads listed that wait inside a JVM. */
const MOST_ROWS = 200;
/** The most holders listed for one lock. */
const MOST_HOLDERS = 5;

/** The waits in words: the waiting thread, the lock, its holders, and since when. */
export function WaitTable({ graph, nodes }: { graph: ShownGraph; nodes: ReadonlyMap<string, WireNode> }) {
  const { graph: texts } = useWords();
  const rows = waitRows(graph.edges);
  const blocked = graph.edges.filter(({ kind }) => kind === 'blocked').slice(0, MOST_ROWS);
  return (
    <PlainTable
      label={texts.list}
      boxLabel={texts.list}
      heads={Object.values(texts.head)}
      more={Math.max(0, rows.length - MOST_ROWS)}
    >
      {blocked.map(({ from, to, since }) => (
        <tr key={`${from} blocked ${to}`}>
          <td data-label={texts.head.waiter}>
            <GraphPerson node={nodes.get(from)} threads={1} />
          </td>
          <td data-label={texts.head.lock}>
            <span className="quiet">{texts.insideJvm}</span>
          </td>
          <td data-label={texts.head.holder}>
            <GraphPerson node={nodes.get(to)} threads={1} />
          </td>
          <td data-label={texts.head.since}>{since !== null && texts.inDump(secondsText(since))}</td>
        </tr>
      ))}
      {rows.slice(0, MOST_ROWS).map(({ wait, holds }) => {
        const lock = nodes.get(wait.to);
        return (
          <tr key={`${wait.from} ${wait.mode} ${wait.to}`}>
            <td data-label={texts.head.waiter}>
              <GraphPerson node={nodes.get(wait.from)} threads={wait.threads} />
            </td>
            <td data-label={texts.head.lock}>
              {lock?.kind === 'lock' && (
                <LockLink lockId={lock.id.slice('lock '.length)} lock={lock.lock} nodes={nodes} />
              )}
            </td>
            <td data-label={texts.head.holder}>
              <Holders holds={holds} nodes={nodes} isHeld={lock?.kind === 'lock' && lock.holders > 0} />
            </td>
            <td data-label={texts.head.since}>{wait.since === null ? texts.before : secondsText(wait.since)}</td>
          </tr>
        );
      })}
    </PlainTable>
  );
}

type HoldersProps = { holds: readonly WireEdge[]; nodes: ReadonlyMap<string, WireNode>; isHeld: boolean };

function Holders({ holds, nodes, isHeld }: HoldersProps) {
  const { common, graph: texts } = useWords();
  if (!isHeld) return <span className="quiet">{texts.free}</span>;
  return (
    <>
      {holds.slice(0, MOST_HOLDERS).map(({ to, mode, threads }) => (
        <div key={`${to} ${mode}`}>
          <GraphPerson node={nodes.get(to)} threads={threads} />
        </div>
      ))}
      {holds.length > MOST_HOLDERS && <div className="quiet">{common.andMore(holds.length - MOST_HOLDERS)}</div>}
    </>
  );
}
