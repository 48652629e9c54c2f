import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { Span } from '../layout/scale.ts';
import { HISTORY_CAP } from './history.ts';

/** What is to be read from the server: all anew, or what lies left or right of what is there. */
export type LoadPlan = { readonly kind: 'fresh' | 'left' | 'right' } & Span;

/** What is there already. `counts`: events before and after the anchor. */
export type Loaded = Span & { readonly counts: { readonly before: number; readonly after: number } };

/** A stretch a little out of sight is read before somebody comes there. */
const AHEAD_SHARE = 0.25;
/** What is read beyond the view, as a share of it. */
const MORE_SHARE = 1;
/** Of the events that fit, so many lie on one side of the anchor. */
const ROOM = HISTORY_CAP * 0.45;

/**
 * What is missing for a view, or null. `memory` is what the server remembers; `anchor` the instant that matters most: in a
 * view of more than there is room for, what lies around it is read.
 *
 *   memory   |··············································|
 *   loaded            |==============|
 *   view          [ left |  anchor        | right ]
 */
export function loadPlan(view: Span, anchor: RedisTime, memory: Span, loaded: Loaded | null): LoadPlan | null {
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

/**
 * The part of a stretch that is read, where the server has told how many events lie in its first part: as much around the
 * anchor as there is room for.
 */
export function partWithRoom(wanted: Span, anchor: RedisTime, told: { events: number; to: RedisTime }): Span {
  const perMicro = told.events / Math.max(1, told.to - wanted.from);
  if (perMicro * (wanted.to - wanted.from) <= ROOM * 2) return wanted;
  const reach = ROOM / perMicro;
  const from = Math.max(wanted.from, Math.min(anchor - reach, wanted.to - 2 * reach));
  return { from: redisTime(Math.round(from)), to: redisTime(Math.round(Math.min(wanted.to, from + 2 * reach))) };
}
