import type { EN } from './en.ts';

/** All texts of the page in one language. English is the original and defines the type of every catalogue. */
export type Words = typeof EN;

/** The languages that have a catalogue, each with its own name. */
export const LANGUAGES = { en: 'English', 'zh-CN': '中文' } as const;
export type Language = keyof typeof LANGUAGES;
