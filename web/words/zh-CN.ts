import type { Words } from './words.ts';
import { settings } from './zh-CN/settings.ts';
import { stage } from './zh-CN/stage.ts';

/** The Chinese catalogue, by the same names as the English one; loaded when chosen. */
export const ZH_CN: Words = { settings, stage };
