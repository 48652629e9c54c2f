import { type Millis, plusMillis, type RedisTime } from '../base/time.ts';
import type { LockSight } from './detector.ts';

/** Something that repeats without a pause is seen within this time after watching began. */
const AT_THE_BEGINNING: Millis = 500;

/**
 * Whether something that repeats many times a second was already under way when watching began, so that it began before
 * `since`, the first time it was seen.
 */
export function isFromBefore({ watched }: Pick<LockSight, 'watched'>, since: RedisTime): boolean {
  return since <= plusMillis(watched.watchedSince, AT_THE_BEGINNING);
}
