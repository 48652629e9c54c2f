import { useState } from 'react';
import { useDemo, useDemoCommand, useDemoFollowsEvents } from '../data/demo-queries.ts';
import { problemFromError } from '../data/http.ts';
import { useHealth } from '../data/queries.ts';
import { ClientCard } from '../demo/ClientCard.tsx';
import { ScenarioPanel } from '../demo/ScenarioPanel.tsx';
import { StageLock } from '../demo/StageLock.tsx';
import { DEFAULT_ORDER, ThreadOrderForm } from '../demo/ThreadOrderForm.tsx';
import { EmptyState, Notice } from '../ui/Notice.tsx';
import { OVERVIEW } from '../url/route.ts';
import { Link } from '../url/router.tsx';

/** Teach me, show others: real clients on a real Redis, to be driven by hand or by a scenario. */
export function DemoPage() {
  const health = useHealth();
  const isDemo = health.data?.demo === true;
  const demo = useDemo(isDemo);
  const command = useDemoCommand();
  const [order, setOrder] = useState(DEFAULT_ORDER);
  useDemoFollowsEvents();

  if (health.data && !isDemo) return <NoDemo />;
  const problem = command.error ?? demo.error;
  return (
    <div className="page">
      <header className="page-head">
        <h1 tabIndex={-1}>Demo</h1>
        <p className="quiet">Real clients on a real Redis. Run a scenario, or drive the threads yourself.</p>
      </header>
      {problem && (
        <Notice tone="problem" title={problemFromError(problem).message}>
          {problemFromError(problem).hint}
        </Notice>
      )}
      {demo.data ? (
        <>
          <div className="stage-columns">
            <ScenarioPanel demo={demo.data} command={command} />
            <StageLock name={order.lock} />
          </div>
          <section aria-label="Clients" className="panel">
            <h2>Clients</h2>
            <ThreadOrderForm order={order} onChange={setOrder} />
            <div className="client-cards">
              {demo.data.clients.map((client) => (
                <ClientCard key={client.id} client={client} order={order} onCommand={command.mutate} />
              ))}
            </div>
          </section>
        </>
      ) : (
        !problem && <EmptyState title="Setting the stage." />
      )}
    </div>
  );
}

function NoDemo() {
  return (
    <div className="page">
      <h1 tabIndex={-1}>Demo</h1>
      <EmptyState
        title="This Lockscope watches a Redis of yours; it plays no demo on it."
        actions={
          <Link className="button is-primary" to={OVERVIEW}>
            Go to the overview
          </Link>
        }
      >
        <p>Run “lockscope demo”: it starts a Redis of its own, with clients to play with.</p>
      </EmptyState>
    </div>
  );
}
