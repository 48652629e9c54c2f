import { useState } from 'react';
import type { Demo, Scenario } from '../../shared/wire/demo.ts';
import type { useDemoCommand } from '../data/demo-queries.ts';
import { startingText } from '../stage/playback/starting-text.ts';
import type { StepsShown } from '../stage/playback/steps-shown.ts';
import { useWords } from '../words/language.ts';
import { StepList } from './StepList.tsx';
import { summaryOf, titleOf } from './scenario-text.ts';

type ScenarioPanelProps = {
  demo: Demo;
  /** How many steps the stage has shown; null: no stage is shown. */
  stepsShown: StepsShown | null;
  scenarios: readonly Scenario[];
  command: ReturnType<typeof useDemoCommand>;
};

/** Chooses and starts a scenario, and lists the steps of the running one. */
export function ScenarioPanel({ demo, stepsShown, scenarios, command }: ScenarioPanelProps) {
  const all = useWords();
  const { stage } = all;
  const words = stage.scenario;
  const [chosen, setChosen] = useState<string | null>(null);
  const scenario = scenarios.find(({ id }) => id === (chosen ?? demo.scenario)) ?? scenarios[0];
  const isPlaying = demo.state === 'running' || demo.state === 'paused';
  const shown = shownOf(demo, stepsShown);
  return (
    <section aria-label={words.region} className="panel scenario-panel">
      <div className="scenario-choice">
        <label className="field">
          <span>{words.choose}</span>
          <select value={scenario?.id ?? ''} onChange={(event) => setChosen(event.target.value)}>
            {scenarios.map((one) => (
              <option key={one.id} value={one.id}>
                {titleOf(one, stage)}
              </option>
            ))}
          </select>
        </label>
        {scenario && (
          <button
            type="button"
            className="button is-primary"
            disabled={command.isPending || demo.starting !== undefined}
            onClick={() => command.mutate({ do: 'start-scenario', id: scenario.id })}
          >
            {demo.scenario === scenario.id && demo.step > 0 ? words.startAgain(scenario.id) : words.start(scenario.id)}
          </button>
        )}
        {isPlaying && (
          <button type="button" className="button" onClick={() => command.mutate({ do: 'stop-scenario' })}>
            {words.stop}
          </button>
        )}
      </div>
      {scenario && <p>{summaryOf(scenario, stage)}</p>}
      <p className="scenario-state" role="status">
        {demo.starting ? startingText(demo.starting, all) : words.states[demo.state]}
        {demo.scenario !== null &&
          demo.state !== 'idle' &&
          ` ${words.stepOf(String(isPlaying ? shown : demo.step), String(demo.steps))}`}
        {!isPlaying && shown < demo.step && ` ${words.stageIsAt(String(shown))}`}
        {demo.problem !== undefined && ` ${demo.problem}`}
      </p>
      {demo.script.length > 0 && <StepList demo={demo} shown={shown} />}
    </section>
  );
}

/** How many steps are lit: those that the stage has shown, or none if the stage has not begun this run. */
function shownOf({ step, startedAt }: Demo, onStage: StepsShown | null): number {
  if (onStage === null) return step;
  return onStage.run === startedAt ? Math.min(step, onStage.shown) : 0;
}
