import type { Millis, RedisTime } from '../../base/time.ts';
import type { Say } from '../words.ts';

/** Joins the sentences that apply. */
export function sentences(...all: readonly (string | false)[]): string {
  return all.filter((sentence) => sentence !== false).join(' ');
}

/** A length of time in short form: `20 ms`, `0.7 s`, `90 s`, `13 min`, `2.5 h`. */
export function lengthText(ms: Millis): string {
  if (ms < 95) return `${Math.max(1, Math.round(ms))} ms`;
  if (ms < 120_000) return `${Number((ms / 1000).toFixed(ms < 10_000 ? 1 : 0))} s`;
  if (ms < 7_200_000) return `${Math.floor(ms / 60_000)} min`;
  return `${Number((ms / 3_600_000).toFixed(1))} h`;
}

/** What to do now after a lock was lost: two threads may have written. `holder` null: the holder was not seen. */
export function checkWrites(
  holder: string | null,
  since: RedisTime,
  takenBy: string | null,
  { who, clock }: Say,
): string {
  if (holder === null)
    return `Find the thread that held it${takenBy === null ? '' : `, and check what it and ${who(takenBy)} wrote after ${clock(since)}`}: it may still work.`;
  return `Check what ${who(holder)}${takenBy === null ? '' : ` and ${who(takenBy)}`} wrote after ${clock(since)}.`;
}

/** The sentence about the thread that acquired the lock meanwhile; false: none did. */
export function taken(takenBy: string | null, takenAt: RedisTime | null, { who, clock }: Say): string | false {
  if (takenBy === null || takenAt === null) return false;
  return `${who(takenBy)} got the lock at ${clock(takenAt)}, so both may have worked at the same time.`;
}
