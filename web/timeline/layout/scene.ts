import { firstFrom } from '../../../shared/base/search.ts';
import type { RedisTime } from '../../../shared/base/time.ts';
import { type GoneSince, orphanedFrom } from '../../../shared/insights/renewals.ts';
import { type BlindSpot, endOfSpot } from '../../data/window/blind-spots.ts';
import type { DroppedRange } from '../../data/window/drops.ts';
import type { Outline } from '../../data/window/outline.ts';
import type { Words } from '../../words/words.ts';
import type { LeasePiece, Track } from '../model/marks.ts';
import type { ProblemTick } from '../model/problem-ticks.ts';
import { type ArrowItem, arrowItems } from './arrow-items.ts';
import { type LaneItem, layoutLane } from './layout-lane.ts';
import type { Row } from './rows.ts';
import { markTop, rowsBetween } from './rows.ts';
import type { Scale } from './scale.ts';
import type { UnknownRange } from './unknown-ranges.ts';

export type SceneInput = {
  readonly rows: readonly Row[];
  /** The visible part of the rows. */
  readonly top: number;
  readonly bottom: number;
  readonly scale: Scale;
  readonly now: RedisTime;
  readonly goneSince: GoneSince;
  readonly blindSpots: readonly BlindSpot[];
  /** Ranges that were watched but cannot be shown. */
  readonly unknown?: readonly UnknownRange[];
  /** When locks were held and waited for, drawn in the ranges of `unknown` that are outlined. */
  readonly outline?: Outline | null;
  /** Where problems began. */
  readonly problems?: readonly ProblemTick[];
  /** Whether all events of a lock in the view are loaded, also outside the window of all locks. */
  readonly isWhole?: (lockId: string) => boolean;
  /** The ranges in which a lock is unknown, because it was dropped from memory. */
  readonly droppedOf?: (lockId: string) => readonly DroppedRange[];
  readonly trackOf: (lockId: string) => Track | null;
  readonly words: Words;
  readonly letterOf?: (lockId: string, holder: string) => string | null;
};

/** One visible row with its items. */
export type SceneRow = {
  readonly row: Row;
  readonly track: Track | null;
  readonly items: readonly LaneItem[];
};

/** Everything visible, laid out: for drawing and for finding the mark under the pointer. */
export type Scene = {
  readonly scale: Scale;
  readonly now: RedisTime;
  readonly rows: readonly SceneRow[];
  readonly arrows: readonly ArrowItem[];
  /** The top of the marks on each thread's lane, also on lanes that are scrolled away. */
  readonly tops: ReadonlyMap<string, number>;
  readonly blindSpots: readonly BlindSpot[];
  readonly unknown: readonly UnknownRange[];
  readonly outline: Outline | null;
  readonly problems: readonly ProblemTick[];
  readonly isWhole: (lockId: string) => boolean;
  readonly droppedOf: (lockId: string) => readonly DroppedRange[];
  readonly goneSince: GoneSince;
  readonly letterOf: (lockId: string, holder: string) => string | null;
  /** From when on no client renews a piece of a lease. Null: it is renewed, or nothing shows that it is not. */
  readonly lostFrom: (track: Track, piece: LeasePiece) => RedisTime | null;
};

/** Lays out the visible rows of a view. */
export function sceneFrom(input: SceneInput): Scene {
  const { scale, now, goneSince } = input;
  const view = { scale, now, goneSince };
  const rows: SceneRow[] = [];
  const arrows: ArrowItem[] = [];
  const arrowsDone = new Set<string>();
  const tops = new Map<string, number>();
  for (const row of input.rows) if (row.kind === 'thread') tops.set(row.key, markTop(row));

  for (const row of rowsBetween(input.rows, input.top, input.bottom)) {
    const track = row.kind === 'quiet' ? null : input.trackOf(row.lockId);
    const lane = row.kind === 'thread' && track ? track.lanes.find(({ holder }) => holder === row.holder) : undefined;
    rows.push({ row, track, items: lane ? layoutLane(lane, view) : [] });
    if (row.kind !== 'thread' || !track || arrowsDone.has(track.id)) continue;
    arrowsDone.add(track.id);
    arrows.push(...arrowItems(track, { scale, tops }, input.words));
  }
  const inSight = input.blindSpots.filter(
    (spot) => spot.from <= scale.span.to && endOfSpot(spot, now, scale.span.to) >= scale.span.from,
  );
  const unknown = input.unknown ?? [];
  return {
    scale,
    now,
    rows,
    arrows,
    tops,
    blindSpots: inSight,
    unknown,
    outline: input.outline ?? null,
    problems: input.problems ?? [],
    isWhole: input.isWhole ?? (() => false),
    droppedOf: input.droppedOf ?? (() => []),
    goneSince,
    letterOf: input.letterOf ?? (() => null),
    lostFrom: (track, piece) => lostFrom(track, piece, view),
  };
}

function lostFrom(track: Track, piece: LeasePiece, view: { now: RedisTime; goneSince: GoneSince }): RedisTime | null {
  if (piece.endedBy === 'renewed' || piece.endedBy === 'freed') return null;
  for (const lane of track.lanes) {
    if (!piece.holders.includes(lane.holder)) continue;
    const index = firstFrom(lane.spans, piece.from + 1, (span) => span.from) - 1;
    for (let i = index; i >= 0 && i > index - 3; i--) {
      const span = lane.spans[i];
      if (span?.kind !== 'hold') continue;
      const from = orphanedFrom(span, view.now, view.goneSince);
      if (from !== null) return from;
    }
  }
  return null;
}
