import { useSyncExternalStore } from 'react';
import { EN } from './en.ts';
import { LANGUAGES, type Language, type Words } from './words.ts';

/** A language, or whatever the browser prefers. */
export type LanguageChoice = Language | 'system';

const STORAGE_KEY = 'lockscope.language';

const listeners = new Set<() => void>();
let choice: LanguageChoice = readChoice();
let words: Words = EN;

/** The words of the language that is on: for code outside components, such as what draws on a canvas. */
export function currentWords(): Words {
  return words;
}

/** The words of the language that is on; renders again with another. */
export function useWords(): Words {
  return useSyncExternalStore(onWords, currentWords);
}

/** The language chosen; renders again with another. */
export function useLanguageChoice(): LanguageChoice {
  return useSyncExternalStore(onWords, () => choice);
}

/** Calls `listener` after each change of language until the function given back is called. */
export function onWords(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Chooses a language, now and for the next visit. Settles when its words are on screen. */
export async function chooseLanguage(next: LanguageChoice): Promise<void> {
  choice = next;
  try {
    localStorage.setItem(STORAGE_KEY, next);
  } catch {
    // storage is not allowed here: the choice holds until the page is closed
  }
  await loadLanguage();
}

/** Loads the words of the language chosen. Settles when they are on; without them English stays. */
export async function loadLanguage(): Promise<void> {
  const language = languageOf(choice, navigator.languages);
  const loaded = language === 'en' ? EN : (await import('./zh-CN.ts')).ZH_CN;
  if (language !== languageOf(choice, navigator.languages)) return; // chosen anew meanwhile
  words = loaded;
  document.documentElement.lang = language;
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

function readChoice(): LanguageChoice {
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    return stored !== null && stored in LANGUAGES ? (stored as Language) : 'system'; // `in` has just checked it
  } catch {
    return 'system'; // storage is not allowed here
  }
}
