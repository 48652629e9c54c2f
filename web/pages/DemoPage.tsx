import '../demo/demo.css';
import { Suspense, useEffect, useState } from 'react';
import { embedFrom } from '../choices/embed.ts';
import { problemFromError } from '../data/http/http.ts';
import { useDemo, useDemoCommand, useDemoFollowsEvents, useScenarios } from '../data/queries/demo-queries.ts';
import { useHealth } from '../data/queries/queries.ts';
import { ClientCard } from '../demo/ClientCard.tsx';
import { ScenarioPanel } from '../demo/ScenarioPanel.tsx';
import { titleOf } from '../demo/scenario-text.ts';
import { DEFAULT_ORDER, FIRST_LOCK, ThreadOrderForm } from '../demo/ThreadOrderForm.tsx';
import type { StageOnPage } from '../stage/Stage.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { EmptyState, Notice } from '../ui/Notice.tsx';
import { OVERVIEW } from '../url/route.ts';
import { Link } from '../url/router.tsx';
import { useWords } from '../words/language.ts';

/** Loaded when the demo page is opened. */
const Stage = lazyPart(() => import('../stage/Stage.tsx'));

/** The demo: real clients on a private Redis, shown in scenarios or driven by hand, or a recording of scenarios. */
export default function DemoPage() {
  const { data: isDemo } = useHealth((health) => health.demo === true);
  const demo = useDemo(isDemo === true);
  const scenarios = useScenarios(isDemo === true);
  const command = useDemoCommand();
  const [order, setOrder] = useState(DEFAULT_ORDER);
  const [progress, setProgress] = useState<StageOnPage | null>(null);
  const [embed] = useState(() => embedFrom(window.location.search));
  const words = useWords().stage;
  useDemoFollowsEvents();
  const lockOfStage = demo.data ? (demo.data.lock ?? (demo.data.prefix ?? '') + FIRST_LOCK) : null;
  // threads act on the lock of the stage until the user types another name
  useEffect(() => {
    if (lockOfStage !== null) setOrder((before) => ({ ...before, lock: lockOfStage }));
  }, [lockOfStage]);

  if (isDemo === false) return <NoDemo />;
  const problem = command.error ?? demo.error ?? scenarios.error;
  const { data } = demo;
  const isPlaying = data?.state === 'running' || data?.state === 'paused';
  const scenario = scenarios.data?.scenarios.find(({ id }) => id === data?.scenario);
  return (
    <div className={`page demo-page ${embed.isOn ? 'is-embedded' : ''}`}>
      <header className="page-head">
        <h1 tabIndex={-1}>{words.page}</h1>
        <p className="quiet">{data?.recorded === true ? words.leadRecorded : words.lead}</p>
      </header>
      {problem && (
        <Notice tone="problem" title={problemFromError(problem).message}>
          {problemFromError(problem).hint}
        </Notice>
      )}
      {data && !scenarios.isPending ? (
        <Suspense fallback={<EmptyState title={words.opening} />}>
          <div className="stage-columns">
            <Stage
              demo={data}
              lock={isPlaying ? (data.lock ?? order.lock) : order.lock}
              title={scenario ? titleOf(scenario, words) : words.title}
              onCommand={command.mutate}
              onSteps={setProgress}
              first={embed.scenario}
            />
            {!embed.isOn && (
              <ScenarioPanel
                demo={data}
                progress={progress}
                scenarios={scenarios.data?.scenarios ?? []}
                command={command}
              />
            )}
          </div>
          {data.recorded !== true && !embed.isOn && (
            <section aria-label={words.clients.region} className="panel">
              <h2>{words.clients.title}</h2>
              <ThreadOrderForm order={order} onChange={setOrder} />
              <div className="client-cards">
                {data.clients.map((client) => (
                  <ClientCard key={client.id} client={client} order={order} onCommand={command.mutate} />
                ))}
              </div>
            </section>
          )}
        </Suspense>
      ) : (
        !problem && <EmptyState title={words.opening} />
      )}
    </div>
  );
}

function NoDemo() {
  const words = useWords().stage;
  return (
    <div className="page">
      <h1 tabIndex={-1}>{words.page}</h1>
      <EmptyState
        title={words.noDemo.title}
        actions={
          <Link className="button is-primary" to={OVERVIEW}>
            {words.noDemo.overview}
          </Link>
        }
      >
        <p>{words.noDemo.hint}</p>
      </EmptyState>
    </div>
  );
}
