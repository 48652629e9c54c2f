import { makeStoredChoice } from './stored-choice.ts';

/** Whether this browser has ever zoomed a timeline. Until then, its gestures are listed. */
export const hasZoomed = makeStoredChoice('zoomed', ['no', 'yes']);
