import { asleep } from './english/asleep.ts';
import { contention } from './english/contention.ts';
import { fair } from './english/fair.ts';
import { jvm } from './english/jvm.ts';
import { lost } from './english/lost.ts';
import { renewals } from './english/renewals.ts';
import { server } from './english/server.ts';
import { stuck } from './english/stuck.ts';
import { unlocks } from './english/unlocks.ts';
import type { InsightValues } from './insight.ts';
import type { WordsOf } from './words.ts';

/** The English texts of each insight: on the page, and in JSON. */
export const ENGLISH: WordsOf<InsightValues> = {
  ...lost,
  ...renewals,
  ...stuck,
  ...unlocks,
  ...asleep,
  ...fair,
  ...contention,
  ...server,
  ...jvm,
};

/** The English title of an incident; the incident itself if this version does not know it. */
export function titleOf(incident: string): string {
  return Object.hasOwn(ENGLISH, incident) ? ENGLISH[incident as keyof typeof ENGLISH].title : incident; // `hasOwn` shows that the key exists
}
