import { useState } from 'react';
import type { Demo } from '../../shared/wire/demo.ts';
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

/** One scenario to choose and start, and the steps of the one that is on. */
export function ScenarioPanel({ demo, command }: ScenarioPanelProps) {
  const scenarios = useScenarios().data?.scenarios ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const scenario = scenarios.find(({ id }) => id === (chosen ?? demo.scenario)) ?? scenarios[0];
  const isPlaying = demo.state === 'running' || demo.state === 'paused';
  return (
    <section aria-label="Scenario" className="panel scenario-panel">
      <div className="scenario-choice">
        <label className="field">
          <span>Scenario</span>
          <select value={scenario?.id ?? ''} onChange={(event) => setChosen(event.target.value)}>
            {scenarios.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        </label>
        {scenario && (
          <button
            type="button"
            className="button is-primary"
            disabled={command.isPending}
            onClick={() => command.mutate({ do: 'start-scenario', id: scenario.id })}
          >
            {demo.scenario === scenario.id && demo.step > 0 ? `Start ${scenario.id} again` : `Start ${scenario.id}`}
          </button>
        )}
        {isPlaying && (
          <button type="button" className="button" onClick={() => command.mutate({ do: 'stop-scenario' })}>
            Stop
          </button>
        )}
      </div>
      {scenario && <p>{scenario.summary}</p>}
      <p className="scenario-state" role="status">
        {STATE[demo.state]}
        {demo.scenario !== null && demo.state !== 'idle' && ` Step ${demo.step} of ${demo.steps}.`}
        {demo.problem !== undefined && ` ${demo.problem}`}
      </p>
      {demo.script.length > 0 && <StepList demo={demo} />}
    </section>
  );
}
