import { EN_FIRST } from './en-first.ts';
import { EN_LATER } from './en-later.ts';

/** The English catalogue. The page loads it in parts: `language.ts`. */
export const EN = { ...EN_FIRST, ...EN_LATER };
