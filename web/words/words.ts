import type { EN } from './en.ts';

/** Everything the page says, in one language. English is the original, so its shape is the shape of all. */
export type Words = typeof EN;

/** Languages there are catalogues for, each by its own name. */
export const LANGUAGES = { en: 'English', 'zh-CN': '中文' } as const;
export type Language = keyof typeof LANGUAGES;
