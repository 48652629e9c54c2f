import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import { LIVE, type Origin } from './moment.ts';

const listeners = new Set<() => void>();
/** The origin of times in this page's links, set once the page knows whether a recording is open. */
let origin: Origin = LIVE;
let end: RedisTime | null = null;

export function currentOrigin(): Origin {
  return origin;
}

/** True if `at` is at or after the end of the open recording; false while live. */
export function isAtEnd(at: RedisTime): boolean {
  return end !== null && at >= end;
}

/** Sets the origin: a recording, or null while live. */
export function setOrigin(recording: { name: string; startedAt: number; endsAt: number } | null): void {
  const next: Origin = recording ? { src: recording.name, at: redisTime(recording.startedAt) } : LIVE;
  end = recording ? redisTime(recording.endsAt) : null;
  if (next.src === origin.src && next.at === origin.at) return;
  origin = next;
  for (const listener of listeners) listener();
}

/** Calls `listener` when the origin changes. Returns the function that unsubscribes it. */
export function onOrigin(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
