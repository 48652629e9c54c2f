import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { WINDOW_CAP } from './event-window.ts';
import type { Outline } from './outline.ts';
import type { TimeSpan } from './time-span.ts';

/** What to read from the server: a fresh range, or the part to the left or right of the loaded one. */
export type LoadPlan = { readonly kind: 'fresh' | 'left' | 'right' } & TimeSpan;

/** The range that is loaded. `counts`: events before and after the anchor. */
type Loaded = TimeSpan & { readonly counts: { readonly before: number; readonly after: number } };

/** Reading begins when less than this share of the view is loaded beyond its edge. */
const AHEAD_SHARE = 0.25;
/** How much is read beyond each edge of the view, as a share of the view. */
const MORE_SHARE = 1;
/** About the most events that are read on one side of the anchor. */
const ROOM = WINDOW_CAP * 0.45;

/**
 * What to read for a view; null if nothing is missing, or if the side of the anchor on which events are missing has no
 * room left. `memory` is the range in the server's memory. `anchor` is the instant that matters most. If it is not in
 * the loaded range, a fresh range is read.
 *
 *   memory   |··············································|
 *   loaded            |==============|
 *   view          [ left |  anchor        | right ]
 */
export function loadPlan(view: TimeSpan, anchor: RedisTime, memory: TimeSpan, loaded: Loaded | null): LoadPlan | null {
  const within = (at: number) => redisTime(Math.min(memory.to, Math.max(memory.from, at)));
  const length = view.to - view.from;
  const wide = { from: within(view.from - length * MORE_SHARE), to: within(view.to + length * MORE_SHARE) };
  const near = { from: within(view.from - length * AHEAD_SHARE), to: within(view.to + length * AHEAD_SHARE) };
  if (near.to <= memory.from && view.to < memory.from) return null;
  const at = Math.min(near.to, Math.max(near.from, anchor));
  if (!loaded || at < loaded.from || at > loaded.to) return { kind: 'fresh', ...wide };
  if (near.from < loaded.from && loaded.counts.before < ROOM * 0.9)
    return { kind: 'left', from: wide.from, to: loaded.from };
  if (near.to > loaded.to && loaded.counts.after < ROOM * 0.9) return { kind: 'right', from: loaded.to, to: wide.to };
  return null;
}

/** About how many events are read around the anchor of a view that has too many events and is shown in outline. */
const FEW = WINDOW_CAP / 20;

/** The part of a view whose events are read: all of it, or the part around the anchor if it has too many events. */
export function uncrowded(view: TimeSpan, anchor: RedisTime, outline: Outline | null): TimeSpan {
  if (outline === null || outline.to <= outline.from) return view;
  const length = view.to - view.from;
  const events = (outline.events * length) / (outline.to - outline.from);
  if (events <= ROOM) return view;
  const reach = (length * FEW) / events / 2;
  return { from: redisTime(Math.round(anchor - reach)), to: redisTime(Math.round(anchor + reach)) };
}

/**
 * The part of a range to read: as much around the anchor as fits. `sample` is the number of events in the first part
 * of the range, up to `sample.to`; the rest is assumed to be as dense.
 */
export function partWithRoom(wanted: TimeSpan, anchor: RedisTime, sample: { events: number; to: RedisTime }): TimeSpan {
  const perMicro = sample.events / Math.max(1, sample.to - wanted.from);
  if (perMicro * (wanted.to - wanted.from) <= ROOM * 2) return wanted;
  const reach = ROOM / perMicro;
  const from = Math.max(wanted.from, Math.min(anchor - reach, wanted.to - 2 * reach));
  return { from: redisTime(Math.round(from)), to: redisTime(Math.round(Math.min(wanted.to, from + 2 * reach))) };
}
