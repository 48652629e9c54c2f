import { makeStoredChoice } from './stored-choice.ts';

/** Whether the desktop shows each new critical problem while another window is in front. */
export const notify = makeStoredChoice('notify', ['off', 'on']);
