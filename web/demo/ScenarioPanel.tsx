import { useState } from 'react';
import type { Demo, Scenario } from '../../shared/wire/demo.ts';
import type { useDemoCommand } from '../data/queries/demo-queries.ts';
import { startingText } from '../stage/playback/starting-text.ts';
import type { StageProgress } from '../stage/playback/steps-shown.ts';
import type { StageOnPage } from '../stage/Stage.tsx';
import { SHOW } from '../stage/script/scenario-table.ts';
import { useWords } from '../words/language.ts';
import { problemText } from '../words/problem-text.ts';
import { ScenarioList } from './ScenarioList.tsx';
import { StepList } from './StepList.tsx';

type ScenarioPanelProps = {
  demo: Demo;
  /** The progress of the stage; null: no stage is shown. */
  progress: StageOnPage | null;
  scenarios: readonly Scenario[];
  command: ReturnType<typeof useDemoCommand>;
};

/** Chooses and starts a scenario, and lists the steps of the running one. */
export function ScenarioPanel({ demo, progress, scenarios, command }: ScenarioPanelProps) {
  const words = useWords().stage.scenario;
  const [chosen, setChosen] = useState<{ id: string; during: string | null } | null>(null);
  // until the user chooses a scenario, the panel shows the running scenario, or the one that the stage offers to play
  const first = scenarios.find((scenario) => scenario.id === SHOW) ?? scenarios[0];
  const isChosen = chosen?.during === demo.scenario;
  const id = isChosen ? chosen.id : (demo.scenario ?? first?.id);
  const isPlaying = demo.state === 'running' || demo.state === 'paused';
  const isCurrent = id === demo.scenario;
  const shown = shownOf(demo, progress);
  return (
    <section aria-label={words.region} className="panel scenario-panel">
      <h2>{words.region}</h2>
      <ProgressLine demo={demo} progress={progress} shown={shown} />
      <div className="scenario-list">
        <ScenarioList
          scenarios={scenarios}
          chosen={id}
          onChoose={(wanted) => setChosen({ id: wanted, during: demo.scenario })}
        >
          <div className="scenario-buttons">
            <button
              type="button"
              className={isChosen ? 'button is-primary' : 'button'}
              disabled={command.isPending || demo.starting !== undefined}
              onClick={() => id !== undefined && command.mutate({ do: 'start-scenario', id })}
            >
              {isCurrent && demo.step > 0 ? words.startAgain : words.start}
            </button>
            {isPlaying && isCurrent && (
              <button type="button" className="button" onClick={() => command.mutate({ do: 'stop-scenario' })}>
                {words.stop}
              </button>
            )}
          </div>
          {isCurrent && demo.script.length > 0 && (
            <StepList demo={demo} shown={shown} showsLater={progress === null || progress.showsAhead} />
          )}
        </ScenarioList>
      </div>
    </section>
  );
}

type ProgressLineProps = { demo: Demo; progress: StageProgress | null; shown: number };

/** What is playing, and the step that the stage shows. */
function ProgressLine({ demo, progress, shown }: ProgressLineProps) {
  const all = useWords();
  const words = all.stage.scenario;
  const hasSteps = demo.scenario !== null && demo.state !== 'idle';
  return (
    <p className="scenario-state" role="status">
      {demo.starting ? startingText(demo.starting, all) : words.states[stateOf(demo, progress, shown)]}
      {hasSteps && ` ${words.stepOf(String(shown), String(demo.steps))}`}
      {demo.problem !== undefined && ` ${problemText(all, demo.problem).message}`}
    </p>
  );
}

/** The state as the user sees it: the demo may be done long before the stage has shown its end. */
function stateOf({ state, step }: Demo, progress: StageProgress | null, shown: number): Demo['state'] {
  if (progress === null || (state !== 'running' && state !== 'done')) return state;
  if (state === 'done' && !progress.hasMore && shown === step) return 'done';
  return progress.isPlaying ? 'running' : 'paused';
}

/**
 * How many steps are lit: the steps that the stage has shown, or 0 if the stage has not begun this run. Without a
 * stage, all steps that the demo has done.
 */
function shownOf({ step, startedAt }: Demo, onStage: StageProgress | null): number {
  if (onStage === null) return step;
  return onStage.run === startedAt ? Math.min(step, onStage.shown) : 0;
}
