/** What each insight says. The server writes the same sentences into its JSON. */
export { ENGLISH as insights } from '../../../shared/insights/english.ts';
