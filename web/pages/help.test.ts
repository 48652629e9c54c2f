import { expect, test } from 'vitest';
import { SCENARIO_OF } from '../stage/script/scenario-of-incident.ts';
import { isScenario } from '../stage/script/scenario-table.ts';
import { HELP as EN_HELP, type HelpWords } from '../words/en/help/all.ts';
import { EN } from '../words/en.ts';
import { withEnglish } from '../words/translated.ts';
import { HELP as ZH_HELP } from '../words/zh-CN/help/all.ts';

test.each([
  ['English', EN_HELP],
  ['Chinese', withEnglish<HelpWords>(EN_HELP, ZH_HELP)],
])('the help in %s has every incident, without an empty text', (_, { themes }) => {
  const texts: Record<string, object> = Object.fromEntries(
    Object.values(themes).flatMap((theme) => Object.entries(theme)),
  );
  expect(Object.keys(texts).sort()).toEqual(Object.keys(EN.insights).sort());
  const all = Object.values(texts).flatMap((text) => Object.values(text));
  expect(all.filter((text) => String(text).trim() === '')).toEqual([]);
});

test('each scenario of an incident is in the demo, and its incident has help', () => {
  const ids = Object.values(EN_HELP.themes).flatMap((theme) => Object.keys(theme));
  for (const [incident, scenario] of Object.entries(SCENARIO_OF)) {
    expect(ids).toContain(incident);
    expect(isScenario(scenario ?? null)).toBe(true);
  }
});
