import type { Scenario } from '../../shared/wire/demo.ts';
import type { Words } from '../words/words.ts';

type Said = Pick<Scenario, 'id' | 'title' | 'summary'>;

/** A scenario's title in the language of the page; the server's own where there is none. */
export function titleOf(scenario: Said, words: Words['stage']): string {
  return words.scenario.texts[scenario.id]?.title ?? scenario.title;
}

/** What a scenario shows, in the language of the page. */
export function summaryOf(scenario: Said, words: Words['stage']): string {
  return words.scenario.texts[scenario.id]?.summary ?? scenario.summary;
}

/** A step, counted from 1, in the language of the page. */
export function stepText(scenario: string | null, n: number, title: string, words: Words['stage']): string {
  return words.scenario.texts[scenario ?? '']?.steps[n - 1] ?? title;
}
