import { makeStoredChoice } from './stored-choice.ts';

/** What the wheel does over the timeline: scroll its rows, with Ctrl zoom; or zoom at once. */
export const wheel = makeStoredChoice('wheel', ['scroll', 'zoom']);
