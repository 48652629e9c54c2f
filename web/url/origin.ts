import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import { LIVE, type Origin } from './moment.ts';

/** Where the times of this page's links count from: set once it is known what is open. */
const listeners = new Set<() => void>();
let origin: Origin = LIVE;
let end: RedisTime | null = null;

/** Where times count from now. */
export function currentOrigin(): Origin {
  return origin;
}

/** True at the end of the recording that is open, and after it: there is nothing later to go on to. */
export function isAtEnd(at: RedisTime): boolean {
  return end !== null && at >= end;
}

/** Takes what is open: a recording, or null for what is watched live. */
export function setOrigin(recording: { name: string; startedAt: number; endsAt: number } | null): void {
  const next: Origin = recording ? { src: recording.name, at: redisTime(recording.startedAt) } : LIVE;
  end = recording ? redisTime(recording.endsAt) : null;
  if (next.src === origin.src && next.at === origin.at) return;
  origin = next;
  for (const listener of listeners) listener();
}

/** Calls `listener` when another thing is open, until the function given back is called. */
export function onOrigin(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
