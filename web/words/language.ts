import { useSyncExternalStore } from 'react';
import { makeStoredChoice } from '../choices/stored-choice.ts';
import { EN } from './en.ts';
import type { Language, Words } from './words.ts';

/** A language, or whatever the browser prefers. */
export const language = makeStoredChoice('language', ['system', 'en', 'zh-CN']);
export type LanguageChoice = ReturnType<typeof language.get>;

const listeners = new Set<() => void>();
let words: Words = EN;

/** The words of the language that is on: for code outside components, such as what draws on a canvas. */
export function currentWords(): Words {
  return words;
}

/** The words of the language that is on; renders again with another. */
export function useWords(): Words {
  return useSyncExternalStore(onWords, currentWords, currentWords);
}

/** Calls `listener` after each change of language until the function given back is called. */
export function onWords(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Chooses a language, now and for the next visit. Settles when its words are on screen. */
export async function chooseLanguage(next: LanguageChoice): Promise<void> {
  language.choose(next);
  await loadLanguage();
}

/** Loads the words of the language chosen. Settles when they are on; without them the language before stays. */
export async function loadLanguage(): Promise<void> {
  const wanted = languageOf(language.get(), navigator.languages);
  const loaded = wanted === 'en' ? EN : (await import('./zh-CN.ts')).ZH_CN;
  if (wanted !== languageOf(language.get(), navigator.languages)) return; // chosen anew meanwhile
  words = loaded;
  document.documentElement.lang = wanted;
  for (const listener of listeners) listener();
}

/** The language for a choice: for `system` the first of the browser's languages there is a catalogue for. */
export function languageOf(wanted: LanguageChoice, preferred: readonly string[]): Language {
  if (wanted !== 'system') return wanted;
  for (const tag of preferred) {
    if (/^en\b/i.test(tag)) return 'en';
    if (/^zh\b(?!.*(hant|tw|hk|mo))/i.test(tag)) return 'zh-CN';
  }
  return 'en';
}
