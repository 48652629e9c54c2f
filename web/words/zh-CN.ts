import { EN } from './en.ts';
import { withEnglish } from './translated.ts';
import type { Words } from './words.ts';
import { ZH_CN_FIRST } from './zh-CN-first.ts';
import { ZH_CN_LATER } from './zh-CN-later.ts';

/** The Chinese catalogue, by the same names as the English one. The page loads it in parts: `language.ts`. */
export const ZH_CN: Words = withEnglish<Words>(EN, { ...ZH_CN_FIRST, ...ZH_CN_LATER });
