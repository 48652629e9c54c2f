import { lockNow } from '../cursor/routes-now.ts';
import type { ShownGraph } from '../data/queries/graph.ts';
import { Person } from '../parts/Person.tsx';
import { NameText } from '../ui/NameText.tsx';
import { millisText } from '../ui/time-text.ts';
import { Link } from '../url/router.tsx';
import { useWords } from '../words/language.ts';
import type { WireNode } from './folded.ts';
import { GraphPerson } from './GraphPerson.tsx';

type Cycle = ShownGraph['cycles'][number];
type Nodes = ReadonlyMap<string, WireNode>;

/** A deadlock in words: which thread waits for which lock, what breaks it, and the hold to release by hand. */
export function CycleCard({ cycle, nodes }: { cycle: Cycle; nodes: Nodes }) {
  const { graph: texts } = useWords();
  const { path, from, isAtLeast, mayBeOver, breaksAt, breaksBy, release } = cycle;
  return (
    <section className="card graph-cycle">
      <h2>
        <span aria-hidden="true">⟳</span> {texts.deadlock(path.length)}
      </h2>
      <ol>
        {path.map(({ holder, lockId, lock, heldBy }) => (
          <li key={`${holder} ${lockId}`}>
            <Thread holder={holder} nodes={nodes} /> {texts.waitsFor}{' '}
            <LockLink lockId={lockId} lock={lock} nodes={nodes} /> ({texts.heldBy}{' '}
            <Thread holder={heldBy} nodes={nodes} />)
          </li>
        ))}
      </ol>
      <p>
        {(isAtLeast ? texts.sinceBefore : texts.since)(millisText(from))} {mayBeOver && `${texts.mayBeOver} `}
        {breaksBy === 'lease' && breaksAt !== null
          ? texts.breaks.lease(millisText(breaksAt))
          : texts.breaks[breaksBy === 'give-up' ? 'give-up' : 'none']}
      </p>
      <p>
        {texts.toRelease} <LockLink lockId={release.lockId} lock={release.lock} nodes={nodes} /> ({texts.heldBy}{' '}
        <Thread holder={release.holder} nodes={nodes} />)
      </p>
    </section>
  );
}

function Thread({ holder, nodes }: { holder: string; nodes: Nodes }) {
  const node = nodes.get(`thread ${holder}`);
  return node ? <GraphPerson node={node} threads={1} /> : <Person lockId="" id={holder} isAmongLocks />;
}

/** A link to the page of a lock in the graph. */
export function LockLink({ lockId, lock, nodes }: { lockId: string; lock: string; nodes: Nodes }) {
  const node = nodes.get(`lock ${lockId}`);
  const name = <NameText text={lock} most={60} />;
  if (node?.kind !== 'lock') return name;
  return <Link to={lockNow({ name: node.lock, source: node.source, db: node.db })}>{name}</Link>;
}
