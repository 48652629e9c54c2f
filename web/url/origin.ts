import { Changing } from '../../shared/base/changing.ts';
import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import { LIVE, type Origin } from './moment.ts';

/** The origin of times in this page's links, set once the page knows whether a recording is open. */
const origin = new Changing<Origin>(LIVE);
let end: RedisTime | null = null;

export const currentOrigin = origin.get;
/** Calls a listener when the origin changes. Returns the function that unsubscribes it. */
export const onOrigin = origin.subscribe;

/** True if `at` is at or after the end of the open recording; false while live. */
export function isAtEnd(at: RedisTime): boolean {
  return end !== null && at >= end;
}

/** Sets the origin: a recording, or null while live. */
export function setOrigin(recording: { name: string; startedAt: number; endsAt: number } | null): void {
  const next: Origin = recording ? { src: recording.name, at: redisTime(recording.startedAt) } : LIVE;
  end = recording ? redisTime(recording.endsAt) : null;
  const before = origin.get();
  if (next.src !== before.src || next.at !== before.at) origin.set(next);
}
