import type { Words } from './words.ts';
import { charts } from './zh-CN/charts.ts';
import { common } from './zh-CN/common.ts';
import { settings } from './zh-CN/settings.ts';
import { stage } from './zh-CN/stage.ts';
import { time } from './zh-CN/time.ts';

/** The Chinese catalogue, by the same names as the English one; loaded when chosen. */
export const ZH_CN: Words = { charts, common, settings, stage, time };
