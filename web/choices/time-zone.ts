import { makeStoredChoice } from './stored-choice.ts';

/** The time zone of every time on the page. Links contain instants, so they do not depend on it. */
export const timeZone = makeStoredChoice('time-zone', ['browser', 'utc']);
