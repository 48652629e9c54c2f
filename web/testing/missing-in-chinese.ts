import { ENGLISH as PROBLEMS } from '../../shared/wire/problems/english/all.ts';
import { HELP } from '../words/en/help/all.ts';
import { DOCTOR } from '../words/en/pages/doctor.ts';
import { EN } from '../words/en.ts';
import { type MissingText, missingIn } from '../words/translated.ts';
import { HELP as ZH_CN_HELP } from '../words/zh-CN/help/all.ts';
import { DOCTOR as ZH_CN_DOCTOR } from '../words/zh-CN/pages/doctor.ts';
import { BY_CODE as ZH_CN_PROBLEMS } from '../words/zh-CN/problems.ts';
import { scenarios as SCENARIOS } from '../words/zh-CN/stage/scenarios.ts';
import { ZH_CN_FIRST } from '../words/zh-CN-first.ts';
import { ZH_CN_LATER } from '../words/zh-CN-later.ts';

/** The English of a scenario, as the server sends it. */
type ScenarioTexts = {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly steps: readonly { readonly title: string }[];
};

/** Every text that Chinese lacks: of the page, and of the scenarios of the demo. `npm run lint` lists them. */
export function missingInChinese(scenarios: readonly ScenarioTexts[]): MissingText[] {
  const ofScenarios = scenarios.map(({ id, title, summary, steps }) => {
    const ofSteps = Object.fromEntries(steps.map((step, index) => [index, step.title]));
    return [id, { title, summary, steps: ofSteps }] as const;
  });
  return missingIn(
    { words: EN, doctor: DOCTOR, help: HELP, problems: PROBLEMS, scenarios: Object.fromEntries(ofScenarios) },
    {
      words: { ...ZH_CN_FIRST, ...ZH_CN_LATER },
      doctor: ZH_CN_DOCTOR,
      help: ZH_CN_HELP,
      problems: ZH_CN_PROBLEMS,
      scenarios: Object.fromEntries(
        Object.entries(SCENARIOS).map(([id, texts]) => [id, { ...texts, steps: { ...texts.steps } }]),
      ),
    },
  );
}
