import { useSyncExternalStore } from 'react';
import { Changing } from '../../shared/base/changing.ts';
import { makeStoredChoice } from '../choices/stored-choice.ts';
import { timeZone } from '../choices/time-zone.ts';
import { EN_FIRST } from './en-first.ts';
import { type Translated, withEnglish } from './translated.ts';
import type { FirstWords, Language, LaterWords, Words } from './words.ts';

/** The chosen language; `system` is the language that the browser prefers. */
export const language = makeStoredChoice('language', ['system', 'en', 'zh-CN']);
export type LanguageChoice = ReturnType<typeof language.get>;

/** How a part of the texts is loaded in each language. A language other than English may lack some of them. */
export type Loaders<T extends object> = { en(): Promise<T>; 'zh-CN'(): Promise<Translated<T>> };

/**
 * Texts are loaded in two parts: first the texts of the frame and the overview, then those of dialogs and most pages,
 * when the first of these is opened. The texts of the help and of the doctor are loaded with their pages.
 */
const FIRST: Loaders<FirstWords> = {
  en: async () => EN_FIRST,
  'zh-CN': async () => (await import('./zh-CN-first.ts')).ZH_CN_FIRST,
};
const LATER: Loaders<LaterWords> = {
  en: async () => (await import('./en-later.ts')).EN_LATER,
  'zh-CN': async () => (await import('./zh-CN-later.ts')).ZH_CN_LATER,
};

let isWhole = false;
const words = new Changing(EN_FIRST as Words); // `ui/lazy-part.tsx` shows a part only after its texts are loaded

/** Returns the words of the current language, for code outside components, for example for drawing on a canvas. */
export const currentWords = words.get;
/** Calls a listener after each change of language or time zone. Returns the function that unsubscribes it. */
export const onWords = words.subscribe;

/** Returns the words of the current language; the component rerenders when the language or the time zone changes. */
export function useWords(): Words {
  return useSyncExternalStore(onWords, currentWords, currentWords);
}

/** Chooses a language, now and for the next visit. Resolves when its words are loaded. */
export async function chooseLanguage(next: LanguageChoice): Promise<void> {
  language.choose(next);
  await loadLanguage();
}

/** Loads the words of the chosen language. Rejects if they cannot be loaded; the previous language then stays. */
export async function loadLanguage(): Promise<void> {
  const wanted = languageOf(language.get(), navigator.languages);
  const parts = await Promise.all([loadTexts(wanted, FIRST), isWhole ? loadTexts(wanted, LATER) : undefined]);
  if (wanted !== languageOf(language.get(), navigator.languages)) return loadLanguage(); // another one was chosen meanwhile
  show(Object.assign({}, ...parts), wanted);
}

/** Loads texts in a language, with English where it has none. */
export async function loadTexts<T extends object>(wanted: Language, loaders: Loaders<T>): Promise<T> {
  if (wanted === 'en') return loaders.en();
  const both = await Promise.all([loaders.en(), loaders[wanted]()]);
  const [english, translated] = both as [T, Translated<T>]; // both are values, not promises
  return withEnglish(english, translated);
}

/** Loads the words that most pages and dialogs need, now and with each language chosen later. */
export async function loadAllWords(): Promise<void> {
  if (isWhole && 'timeline' in words.get()) return;
  isWhole = true;
  await loadLanguage();
}

let shown: Language = 'en';

function show(loaded: Partial<Words>, of: Language): void {
  // a part that arrived in the meantime stays
  const next = of === shown ? { ...words.get(), ...loaded } : ({ ...loaded } as Words); // parts are shown only after their texts are loaded
  shown = of;
  document.documentElement.lang = of;
  words.set(next);
}

// Texts with a time depend on the time zone too: a new object makes every component write its texts again.
timeZone.subscribe(() => words.set({ ...words.get() }));

/** Returns the language of a choice. For `system`, the first of the browser's languages that has a catalogue. */
export function languageOf(wanted: LanguageChoice, preferred: readonly string[]): Language {
  if (wanted !== 'system') return wanted;
  for (const tag of preferred) {
    if (/^en\b/i.test(tag)) return 'en';
    if (/^zh\b(?!.*(hant|tw|hk|mo))/i.test(tag)) return 'zh-CN';
  }
  return 'en';
}

// In `npm run dev`, a changed text is shown without loading the page again.
import.meta.hot?.accept(
  ['./en-first.ts', './en-later.ts', './zh-CN-first.ts', './zh-CN-later.ts'],
  ([enFirst, enLater, zhFirst, zhLater]) => {
    if (enFirst) FIRST.en = async () => enFirst.EN_FIRST;
    if (enLater) LATER.en = async () => enLater.EN_LATER;
    if (zhFirst) FIRST['zh-CN'] = async () => zhFirst.ZH_CN_FIRST;
    if (zhLater) LATER['zh-CN'] = async () => zhLater.ZH_CN_LATER;
    void loadLanguage();
  },
);
