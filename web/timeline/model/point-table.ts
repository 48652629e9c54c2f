import type { EventType, LockEvent } from '../../../shared/events/event.ts';

export type Taken = 'force-released' | 'deleted' | 'evicted' | 'flushed' | 'lost';

/**
 * What an event shows about one point: its holder, whose lane it is on, its number, and how the hold was taken away.
 * Without a holder there is no point.
 */
type PointFacts = {
  readonly holder: string | undefined;
  readonly count?: number | null | undefined;
  readonly taken?: Taken;
};

/** The shape of a point. `draw-point.ts` draws each of them. */
export type Sign =
  | 'triangle'
  | 'hollow-triangle'
  | 'diamond'
  | 'numbered-diamond'
  | 'struck-diamond'
  | 'line'
  | 'ring'
  | 'square'
  | 'cross';

type PointRow = {
  /** How it is found: for each type of event, the points of that event. */
  readonly of: {
    readonly [Type in EventType]?: (event: LockEvent & { type: Type }) => PointFacts | readonly PointFacts[];
  };
  /** How it is drawn. A triangle is above the bar, all others are on it. */
  readonly sign: Sign;
  /** Its word is beside it, if there is room. */
  readonly isWorded?: true;
};

/**
 * Every kind of point on a lane. A new kind is a row here, and its words in `web/words`, under `marks.point`.
 *
 *   event ─ of ─► point ─ sign ─► canvas
 *                   └─ word, many, sentence ─► table, tooltip, selection
 */
const ROWS = {
  renewed: { of: { 'lease.renewed': ({ holder }) => ({ holder }) }, sign: 'triangle' },
  reentered: { of: { 'lock.reentered': ({ holder, holdCount }) => ({ holder, count: holdCount }) }, sign: 'line' },
  'partly-released': {
    of: { 'lock.partially-released': ({ holder, holdCount }) => ({ holder, count: holdCount }) },
    sign: 'numbered-diamond',
  },
  released: {
    of: { 'lock.released': ({ holder, how }) => ({ holder: how === 'unknown' ? undefined : holder, count: 0 }) },
    sign: 'diamond',
  },
  freed: {
    of: { 'lock.released': ({ holder, how }) => ({ holder: how === 'unknown' ? holder : undefined, count: 0 }) },
    sign: 'diamond',
  },
  refused: { of: { 'lock.refused': ({ holder }) => ({ holder }) }, sign: 'ring' },
  'unlock-refused': { of: { 'unlock.refused': ({ holder }) => ({ holder }) }, sign: 'ring', isWorded: true },
  'renewal-refused': {
    of: { 'renewal.refused': ({ holder }) => ({ holder }) },
    sign: 'hollow-triangle',
    isWorded: true,
  },
  expired: { of: { 'lease.expired': ({ holder }) => ({ holder }) }, sign: 'cross' },
  'taken-away': {
    of: {
      'lock.lost': ({ holder }) => ({ holder, taken: 'lost' }),
      'lock.force-released': (event) => takenFrom(event, 'force-released'),
      'lock.deleted': (event) => takenFrom(event, 'deleted'),
      'lock.evicted': (event) => takenFrom(event, 'evicted'),
      'db.flushed': (event) => takenFrom(event, 'flushed'),
    },
    sign: 'struck-diamond',
    isWorded: true,
  },
  // The points of semaphores and latches are on the lane of the connection that sent the command, if it is known. For
  // an expired permit `holder` is the id of the permit: `trackFromEvents` replaces it by the connection that took it.
  'permits-set': {
    of: { 'permits.set': ({ holder, total, available }) => ({ holder, count: total ?? available }) },
    sign: 'square',
    isWorded: true,
  },
  'permits-taken': {
    of: { 'permits.acquired': ({ holder, permits }) => ({ holder, count: permits }) },
    sign: 'line',
  },
  'permits-refused': { of: { 'permits.refused': ({ holder, permits }) => ({ holder, count: permits }) }, sign: 'ring' },
  'permits-back': {
    of: { 'permits.released': ({ holder, permits }) => ({ holder, count: permits }) },
    sign: 'diamond',
  },
  'permits-expired': {
    of: { 'permits.expired': ({ permitIds = [] }) => permitIds.map((holder) => ({ holder })) },
    sign: 'cross',
  },
  'latch-set': { of: { 'latch.set': ({ holder, count }) => ({ holder, count }) }, sign: 'square', isWorded: true },
  'counted-down': {
    of: { 'latch.counted-down': ({ holder, count }) => ({ holder, count }) },
    sign: 'numbered-diamond',
  },
} satisfies Readonly<Record<string, PointRow>>;

export type PointKind = keyof typeof ROWS;

export const POINTS: Readonly<Record<PointKind, PointRow>> = ROWS;

/** True for the points that are drawn above the bar of a hold. */
export function isAboveBar(point: PointKind): boolean {
  return POINTS[point].sign === 'triangle' || POINTS[point].sign === 'hollow-triangle';
}

function takenFrom(
  { holder, holders }: { readonly holder?: string | undefined; readonly holders?: readonly string[] | undefined },
  taken: Taken,
): PointFacts[] {
  return (holders ?? [holder]).map((each) => ({ holder: each, taken }));
}
