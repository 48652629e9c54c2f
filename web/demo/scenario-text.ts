import type { Demo, Scenario } from '../../shared/wire/demo.ts';
import type { Words } from '../words/words.ts';

type Text = Pick<Scenario, 'id' | 'title' | 'summary'>;

/** A scenario's title in the language of the page; the server's title if the catalogue has none. */
export function titleOf(scenario: Text, words: Words['stage']): string {
  return words.scenario.texts[scenario.id]?.title ?? scenario.title;
}

/** A scenario's summary in the language of the page; the server's summary if the catalogue has none. */
export function summaryOf(scenario: Text, words: Words['stage']): string {
  return words.scenario.texts[scenario.id]?.summary ?? scenario.summary;
}

type Run = Pick<Demo, 'scenario' | 'lock' | 'locks' | 'prefix'>;

/**
 * The text of step `n`, counted from 1, in the language of the page, with lock names as they are in Redis. `title` if
 * the catalogue has no text for the step.
 */
export function stepText(run: Run, n: number, title: string, words: Words['stage']): string {
  const phrases = words.scenario.texts[run.scenario ?? '']?.steps?.[n - 1];
  if (phrases === undefined) return title;
  const { prefix = '', lock, locks = lock ? [lock] : [] } = run;
  return locks.reduce((text, name) => text.replaceAll(name.slice(prefix.length), name), phrases);
}
