import type { EN } from './en.ts';
import type { EN_FIRST } from './en-first.ts';
import type { EN_LATER } from './en-later.ts';

/**
 * The texts of the page in one language, without those of the help and of the doctor. English is the original and
 * defines the type of every catalogue.
 */
export type Words = typeof EN;
/** Texts of the frame and of the overview, which every visit loads. */
export type FirstWords = typeof EN_FIRST;
/** Texts of dialogs and of most pages, which are loaded when the first of them is opened. */
export type LaterWords = typeof EN_LATER;

/** The languages that have a catalogue, each with its own name. */
export const LANGUAGES = { en: 'English', 'zh-CN': '中文' } as const;
export type Language = keyof typeof LANGUAGES;
