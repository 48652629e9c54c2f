import { makeStoredChoice } from './stored-choice.ts';

/** Times in lists of events. `clock`: the time of day. `age`: the distance to now, or to the instant on screen. */
export const listTimes = makeStoredChoice('list-times', ['clock', 'age']);
