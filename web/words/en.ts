import { settings } from './en/settings.ts';
import { stage } from './en/stage.ts';

/** The English catalogue: a file per page or panel, sentences with values in them as functions. */
export const EN = { settings, stage };
