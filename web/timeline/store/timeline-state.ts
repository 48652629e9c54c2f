import type { TimeSpan } from '../../data/window/time-span.ts';
import { isSameSpan } from '../layout/viewport.ts';

/** A view and its breadcrumbs, as they were before a jump. */
type ViewStep = { readonly view: TimeSpan; readonly zooms: readonly TimeSpan[] };

/** What the timeline shows, mostly by the user's choice. The instant on screen is in `web/cursor`. */
export type TimelineState = {
  /** The range shown while paused; not used while live. */
  readonly view: TimeSpan | null;
  readonly lengthMicros: number;
  /** While live, the view shows everything in memory; its length grows. */
  readonly followsAll: boolean;
  /** Committed zooms, longest first: the breadcrumbs. */
  readonly zooms: readonly TimeSpan[];
  /** The views before the last jumps, oldest first. */
  readonly undo: readonly ViewStep[];
  readonly brush: TimeSpan | null;
  /** Id of the selected mark. */
  readonly selected: string | null;
  /** Lock of the selected mark. */
  readonly selectedLock: string | null;
  /** The user asked for the cause, or effect, of the selected mark, and none is known. */
  readonly noLink: 'cause' | 'effect' | null;
  /** Key of the focused row. */
  readonly focus: string | null;
  readonly order: readonly string[];
  readonly open: ReadonlySet<string>;
  readonly quiet: ReadonlySet<string>;
  /** Keys of the rows of quiet locks that are open. */
  readonly openQuiet: ReadonlySet<string>;
  /** Keys of lanes that are folded, because they had nothing in the view. */
  readonly folded: ReadonlySet<string>;
  /** Keys of lanes that had a hold in the view. */
  readonly wide: ReadonlySet<string>;
  /** Locks whose folded lanes are shown. */
  readonly openFolds: ReadonlySet<string>;
  readonly hidden: ReadonlySet<string>;
  readonly pinned: ReadonlySet<string>;
  /** Name of the only lock to show; empty shows all. */
  readonly onlyLock: string;
  readonly isIdleCollapsed: boolean;
  /** The newest `seq` when the timeline was paused; later events are counted. */
  readonly pausedSeq: number;
  readonly isTable: boolean;
  readonly areLinesOpen: boolean;
};

/** Half a minute: long enough for a lease, short enough to see it move. */
const FIRST_LENGTH_MICROS = 30_000_000;
/** The most jumps that can be undone. */
const MOST_STEPS = 50;
/** How many locks open without a click: the locks that need attention most. */
const OPENED_FIRST = 6;

export const FIRST_STATE: TimelineState = {
  view: null,
  lengthMicros: FIRST_LENGTH_MICROS,
  followsAll: false,
  zooms: [],
  undo: [],
  brush: null,
  selected: null,
  selectedLock: null,
  noLink: null,
  focus: null,
  order: [],
  open: new Set(),
  quiet: new Set(),
  openQuiet: new Set(),
  folded: new Set(),
  wide: new Set(),
  openFolds: new Set(),
  hidden: new Set(),
  pinned: new Set(),
  onlyLock: '',
  isIdleCollapsed: false,
  pausedSeq: 0,
  isTable: false,
  areLinesOpen: false,
};

/** The lengths of view to choose from; `all` is everything in memory. */
type WindowLength = '30s' | '5min' | '15min' | 'all';

const MICROS_OF: Readonly<Record<Exclude<WindowLength, 'all'>, number>> = {
  '30s': 30_000_000,
  '5min': 300_000_000,
  '15min': 900_000_000,
};

/** The state of a live view with this window. */
export function followed(window: WindowLength): Pick<TimelineState, 'lengthMicros' | 'followsAll'> {
  const micros = microsOf(window);
  return { lengthMicros: micros ?? FIRST_LENGTH_MICROS, followsAll: micros === null };
}

/** The length of a window in microseconds; null for `all`. */
function microsOf(window: WindowLength): number | null {
  return window === 'all' ? null : MICROS_OF[window];
}

/** The set with one member added, or removed if it was in it. */
export function toggled<T>(set: ReadonlySet<T>, member: T): ReadonlySet<T> {
  const next = new Set(set);
  if (!next.delete(member)) next.add(member);
  return next;
}

/** The locks that open without a click: the first 6. */
export function firstOf(order: readonly string[]): readonly string[] {
  return order.slice(0, OPENED_FIRST);
}

/** The open locks, and every new lock that is among the first 6. */
export function withFirst({ open, order: before }: TimelineState, order: readonly string[]): ReadonlySet<string> {
  const known = new Set(before);
  const fresh = firstOf(order).filter((id) => !known.has(id));
  return fresh.length === 0 ? open : new Set([...open, ...fresh]);
}

/** The order with one lock moved to the place of another. */
export function reordered(order: readonly string[], id: string, target: string): readonly string[] {
  const from = order.indexOf(id);
  const to = order.indexOf(target);
  if (from === -1 || to === -1 || from === to) return order;
  const next = order.filter((other) => other !== id);
  next.splice(to, 0, id);
  return next;
}

/** The zooms after one more is committed. Zooms that contain the new range are kept, other zooms are dropped. */
export function withZoom(zooms: readonly TimeSpan[], next: TimeSpan): readonly TimeSpan[] {
  return [...zooms.filter((zoom) => zoom.from <= next.from && zoom.to >= next.to), next];
}

/** The steps with one more. A step with the view of the last step is not added. */
export function withStep(steps: readonly ViewStep[], next: ViewStep): readonly ViewStep[] {
  return isSameSpan(steps.at(-1)?.view ?? null, next.view) ? steps : [...steps, next].slice(-MOST_STEPS);
}

/** Whether two sets have the same members. */
export function isSameSet<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean {
  return a.size === b.size && [...a].every((member) => b.has(member));
}
