import { makeStoredChoice } from './stored-choice.ts';

/** How much time the timeline shows when it opens and follows now. */
export const timelineWindow = makeStoredChoice('window', ['30s', '5min', '15min', 'all']);
