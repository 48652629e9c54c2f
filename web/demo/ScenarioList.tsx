import { type ReactNode, useEffect, useRef } from 'react';
import type { Scenario } from '../../shared/wire/demo.ts';
import { GROUPS, isScenario, SCENARIO_TABLE, scenarioRow } from '../stage/script/scenario-table.ts';
import { useWords } from '../words/language.ts';
import { summaryOf, titleOf } from './scenario-text.ts';

type ScenarioListProps = {
  scenarios: readonly Scenario[];
  chosen: string | undefined;
  onChoose: (id: string) => void;
  /** Shown below the chosen scenario. */
  children: ReactNode;
};

/** The scenarios in five groups, each with its title and what it promises to show. */
export function ScenarioList({ scenarios, chosen, onChoose, children }: ScenarioListProps) {
  const { stage } = useWords();
  return GROUPS.map((group) => {
    const rows = inOrder(scenarios.filter(({ id }) => (scenarioRow(id)?.group ?? 'basics') === group));
    if (rows.length === 0) return null;
    return (
      <section key={group} className="scenario-group" aria-label={stage.scenario.groups[group]}>
        <h3>{stage.scenario.groups[group]}</h3>
        <ul>
          {rows.map((scenario) => (
            <ScenarioItem
              key={scenario.id}
              scenario={scenario}
              isChosen={scenario.id === chosen}
              onChoose={() => onChoose(scenario.id)}
            >
              {children}
            </ScenarioItem>
          ))}
        </ul>
      </section>
    );
  });
}

type ScenarioItemProps = { scenario: Scenario; isChosen: boolean; onChoose: () => void; children: ReactNode };

function ScenarioItem({ scenario, isChosen, onChoose, children }: ScenarioItemProps) {
  const { stage, lessons } = useWords();
  const item = useRef<HTMLLIElement>(null);
  const { id } = scenario;
  useEffect(() => {
    // scrolls the list, never the page
    const list = item.current?.closest('.scenario-list');
    if (!isChosen || !item.current || !list) return;
    const [box, view] = [item.current.getBoundingClientRect(), list.getBoundingClientRect()];
    if (box.top < view.top || box.bottom > view.bottom) list.scrollBy(0, box.top - view.top);
  }, [isChosen]);
  return (
    <li ref={item} className={isChosen ? 'is-chosen' : ''}>
      <button type="button" className="scenario-choice" aria-expanded={isChosen} data-scenario={id} onClick={onChoose}>
        <b>{titleOf(scenario, stage)}</b>
        <span>{isScenario(id) ? lessons.of[id].promise : summaryOf(scenario, stage)}</span>
      </button>
      {isChosen && (
        <div className="scenario-open">
          {isScenario(id) && <p>{summaryOf(scenario, stage)}</p>}
          {children}
        </div>
      )}
    </li>
  );
}

/** Sorts by the order of the table. A scenario that is not in it comes last. */
function inOrder(scenarios: readonly Scenario[]): Scenario[] {
  const order = Object.keys(SCENARIO_TABLE);
  const place = ({ id }: Scenario) => (order.includes(id) ? order.indexOf(id) : order.length);
  return [...scenarios].sort((a, b) => place(a) - place(b));
}
