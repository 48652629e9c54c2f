import { makeStoredChoice } from './stored-choice.ts';

/** What the wheel does on the timeline. `scroll`: scrolls the rows, zooms with Ctrl. `zoom`: zooms without Ctrl. */
export const wheel = makeStoredChoice('wheel', ['scroll', 'zoom']);
