import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { Loading, Memory } from '../../data/window/memory.ts';
import type { TimeSpan } from '../../data/window/time-span.ts';

/**
 * A range whose events cannot be shown: they were dropped from memory, or are not read from the server, or the range is
 * before the first event. In an `outlined` range, holds and waits are shown.
 */
export type UnknownRange = TimeSpan & {
  readonly why: 'dropped' | 'before-first' | 'outlined' | 'unloaded' | 'loading' | 'failed';
  /** While events are loading: how much of the requested range has been read, from 0 to 1. */
  readonly done: number;
  /** The end of the whole range, even if outside the view; for a dropped one, the oldest instant in memory. */
  readonly edge: RedisTime;
};

type Known = {
  readonly memory: Memory | null;
  readonly loaded: { readonly from: RedisTime; readonly to: RedisTime | null } | null;
  readonly now: RedisTime;
  readonly loading: Loading | null;
  /** The range in which holds and waits are known although their events are not loaded. */
  readonly outlined?: TimeSpan | null;
};

/**
 * The parts of a view that cannot be shown, and why. Blind spots are not among them.
 *
 *   view      |··············································|
 *   memory          |────────────────────────────────── now
 *   outlined            |══════════════════════════|
 *   loaded                    |══════════════|
 *   parts     | drop |un|outl.|              |outl.|un|
 */
export function unknownRanges(view: TimeSpan, { memory, loaded, now, loading, outlined }: Known): UnknownRange[] {
  const parts: UnknownRange[] = [];
  const add = (from: number, to: number, part: Pick<UnknownRange, 'why' | 'done'>) => {
    const [start, end] = [Math.max(view.from, from), Math.min(view.to, to)];
    if (start < end) parts.push({ from: redisTime(start), to: redisTime(end), edge: redisTime(to), ...part });
  };
  if (memory) add(view.from, memory.oldestAt, { why: memory.hasDropped ? 'dropped' : 'before-first', done: 0 });
  const oldest = memory?.oldestAt ?? loaded?.from ?? view.from;
  const unread = (from: number, to: number) => {
    const [begin, end] = outlined ? [Math.max(from, outlined.from), Math.min(to, outlined.to)] : [to, to];
    if (begin >= end) return add(from, to, readingOf({ from, to }, loading));
    add(from, begin, readingOf({ from, to }, loading));
    add(begin, end, { why: 'outlined', done: 0 });
    add(end, to, readingOf({ from, to }, loading));
  };
  if (!loaded) unread(oldest, now);
  else {
    unread(oldest, loaded.from);
    if (loaded.to !== null) unread(Math.max(oldest, loaded.to), now);
  }
  return parts;
}

function readingOf(part: { from: number; to: number }, loading: Loading | null): Pick<UnknownRange, 'why' | 'done'> {
  if (!loading || loading.from >= part.to || loading.to <= part.from) return { why: 'unloaded', done: 0 };
  if (loading.reached === 'failed') return { why: 'failed', done: 0 };
  return { why: 'loading', done: (loading.reached - loading.from) / Math.max(1, loading.to - loading.from) };
}
