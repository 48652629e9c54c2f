import { charts } from './en/charts.ts';
import { common } from './en/common.ts';
import { settings } from './en/settings.ts';
import { stage } from './en/stage.ts';
import { time } from './en/time.ts';

/** The English catalogue: a file per page or panel, sentences with values in them as functions. */
export const EN = { charts, common, settings, stage, time };
