import type { Demo, Scenario } from '../../shared/wire/demo.ts';
import { type useDemoCommand, useScenarios } from '../data/demo-queries.ts';
import { StepList } from './StepList.tsx';

const STATE: Readonly<Record<Demo['state'], string>> = {
  idle: 'Nothing is playing.',
  running: 'Playing.',
  paused: 'Paused.',
  done: 'Done.',
  failed: 'Failed.',
};

type ScenarioPanelProps = { demo: Demo; command: ReturnType<typeof useDemoCommand> };

/** The scenarios to start, and the steps of the one that is on. */
export function ScenarioPanel({ demo, command }: ScenarioPanelProps) {
  const scenarios = useScenarios().data?.scenarios ?? [];
  const isPlaying = demo.state === 'running' || demo.state === 'paused';
  return (
    <section aria-label="Scenario" className="panel">
      <h2>Scenario</h2>
      <ul className="scenario-list">
        {scenarios.map((scenario) => (
          <li key={scenario.id}>
            <ScenarioHead scenario={scenario} />
            <div className="scenario-buttons">
              <button
                type="button"
                className="button is-primary"
                disabled={command.isPending}
                onClick={() => command.mutate({ do: 'start-scenario', id: scenario.id })}
              >
                {demo.scenario === scenario.id && demo.state !== 'idle'
                  ? `Start ${scenario.id} again`
                  : `Start ${scenario.id}`}
              </button>
              {isPlaying && demo.scenario === scenario.id && (
                <button type="button" className="button" onClick={() => command.mutate({ do: 'stop-scenario' })}>
                  Stop
                </button>
              )}
            </div>
          </li>
        ))}
      </ul>
      <p className="scenario-state" role="status">
        {STATE[demo.state]}
        {demo.scenario !== null && demo.state !== 'idle' && ` Step ${demo.step} of ${demo.steps}.`}
        {demo.problem !== undefined && ` ${demo.problem}`}
      </p>
      {demo.script.length > 0 && <StepList demo={demo} />}
    </section>
  );
}

function ScenarioHead({ scenario }: { scenario: Scenario }) {
  return (
    <div>
      <h3>{scenario.title}</h3>
      <p>{scenario.summary}</p>
    </div>
  );
}
