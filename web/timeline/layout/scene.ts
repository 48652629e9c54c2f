import { firstFrom } from '../../../shared/base/search.ts';
import { millisBetween, type RedisTime } from '../../../shared/base/time.ts';
import { type GoneSince, orphanedFrom } from '../../../shared/insights/renewals.ts';
import type { BlindSpot } from '../../data/window/blind-spots.ts';
import type { DroppedStretch } from '../../data/window/drops.ts';
import { durationText } from '../../ui/time-text.ts';
import type { Words } from '../../words/words.ts';
import type { LeasePiece, Track, WakeArrow } from '../model/marks.ts';
import { type LaneItem, layoutLane } from './layout-lane.ts';
import { labelWidth } from './metrics.ts';
import type { Row } from './rows.ts';
import { laneKey, rowsBetween } from './rows.ts';
import type { Scale } from './scale.ts';
import type { UnknownStretch } from './unknown-stretches.ts';

export type SceneInput = {
  readonly rows: readonly Row[];
  /** The visible part of the rows. */
  readonly top: number;
  readonly bottom: number;
  readonly scale: Scale;
  readonly now: RedisTime;
  readonly goneSince: GoneSince;
  readonly blindSpots: readonly BlindSpot[];
  /** Stretches that were watched but cannot be shown. */
  readonly unknown?: readonly UnknownStretch[];
  /** The stretches in which a lock is unknown, because it was dropped from memory. */
  readonly droppedOf?: (lockId: string) => readonly DroppedStretch[];
  readonly trackOf: (lockId: string) => Track | null;
  readonly words: Words;
  /** The letter of a holder at a lock. */
  readonly letterOf?: (lockId: string, holder: string) => string | null;
};

/** A wake-up between two lanes, in pixels of the canvas. */
export type ArrowItem = {
  readonly lockId: string;
  /** The acquisition it leads to, and the events it leads from. */
  readonly seq: number;
  readonly causes: readonly number[];
  /** One of many: it has no words, and a picture of all wake-ups draws it faintly. */
  readonly isFaint: boolean;
  readonly by: 'message' | 'own-timer';
  readonly x0: number;
  readonly x1: number;
  /** Tops of the two lanes; null if the cause has no lane in the picture. */
  readonly fromTop: number | null;
  readonly toTop: number;
  /** `awake in 0.3 ms`; empty if there is no room. */
  readonly words: string;
  /** Free pixels on the side of the words. */
  readonly room: number;
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
  readonly blindSpots: readonly BlindSpot[];
  readonly unknown: readonly UnknownStretch[];
  readonly droppedOf: (lockId: string) => readonly DroppedStretch[];
  readonly goneSince: GoneSince;
  readonly letterOf: (lockId: string, holder: string) => string | null;
  readonly lostFrom: (track: Track, piece: LeasePiece) => RedisTime | null;
};

/** Lays out the visible rows of a view. */
export function sceneFrom(wishes: SceneInput): Scene {
  const { scale, now, goneSince } = wishes;
  const view = { scale, now, goneSince };
  const rows: SceneRow[] = [];
  const arrows: ArrowItem[] = [];
  const arrowsDone = new Set<string>();
  const tops = new Map<string, number>();
  for (const row of wishes.rows) if (row.kind === 'thread') tops.set(row.key, row.y);

  for (const row of rowsBetween(wishes.rows, wishes.top, wishes.bottom)) {
    const track = row.kind === 'quiet' ? null : wishes.trackOf(row.lockId);
    const lane = row.kind === 'thread' && track ? track.lanes.find(({ holder }) => holder === row.holder) : undefined;
    rows.push({ row, track, items: lane ? layoutLane(lane, view) : [] });
    if (row.kind !== 'thread' || !track || arrowsDone.has(track.id)) continue;
    arrowsDone.add(track.id);
    arrows.push(...arrowItems(track, scale, tops, wishes.words));
  }
  const inSight = wishes.blindSpots.filter((spot) => spot.from <= scale.span.to && (spot.to ?? now) >= scale.span.from);
  const unknown = wishes.unknown ?? [];
  return {
    scale,
    now,
    rows,
    arrows,
    blindSpots: inSight,
    unknown,
    droppedOf: wishes.droppedOf ?? (() => []),
    goneSince,
    letterOf: wishes.letterOf ?? (() => null),
    lostFrom: (track, piece) => lostFrom(track, piece, view),
  };
}

/** Arrows closer than this to the one before are left out. */
const ARROWS_APART_PX = 10;
/** With more arrows than this per pixel, and more than `FEW_ARROWS` of them, all arrows of a lock are faint. */
const CROWDED_ARROWS = 1 / 100;
const FEW_ARROWS = 6;
/** In less room than this no words fit. */
const WORDS_FROM_PX = 40;

function arrowItems(track: Track, scale: Scale, tops: ReadonlyMap<string, number>, texts: Words): ArrowItem[] {
  const items: ArrowItem[] = [];
  const isFaint = isCrowded(track.arrows, scale);
  const start = firstFrom(track.arrows, scale.span.from, (arrow) => arrow.toAt);
  let lastX = Number.NEGATIVE_INFINITY;
  let wordsEnd = 0;
  for (let i = start; i < track.arrows.length; i++) {
    const arrow = track.arrows[i] as WakeArrow; // i is below the length
    if (arrow.fromAt > scale.span.to) break;
    const x1 = scale.x(arrow.toAt);
    if (x1 - lastX < ARROWS_APART_PX) continue;
    const toTop = tops.get(laneKey(track.id, arrow.toHolder));
    if (toTop === undefined) continue;
    const next = track.arrows[i + 1];
    const ahead = (next ? scale.x(next.toAt) : scale.width) - x1;
    const behind = x1 - Math.max(0, wordsEnd);
    const room = arrow.by === 'message' ? ahead : behind;
    const words = isFaint || room < WORDS_FROM_PX ? '' : arrowWords(arrow, texts);
    const fromTop = arrow.fromHolder === null ? null : (tops.get(laneKey(track.id, arrow.fromHolder)) ?? null);
    items.push({
      lockId: track.id,
      seq: arrow.seq,
      causes: arrow.causes,
      isFaint,
      by: arrow.by,
      x0: scale.x(arrow.fromAt),
      x1,
      fromTop,
      toTop,
      words,
      room,
    });
    lastX = x1;
    const isWritten = words !== '' && arrow.by === 'message' && labelWidth(words) + 12 <= room;
    wordsEnd = x1 + (isWritten ? labelWidth(words) + 20 : 0);
  }
  return items;
}

function isCrowded(arrows: readonly WakeArrow[], { span, width }: Scale): boolean {
  const inView = firstFrom(arrows, span.to, ({ toAt }) => toAt) - firstFrom(arrows, span.from, ({ toAt }) => toAt);
  return inView > FEW_ARROWS && inView > width * CROWDED_ARROWS;
}

function arrowWords(arrow: WakeArrow, { marks, time }: Words): string {
  if (arrow.by === 'own-timer') return marks.label.wokenByTimer;
  return marks.label.wokenByMessage(durationText(millisBetween(arrow.fromAt, arrow.toAt), time));
}

function lostFrom(track: Track, piece: LeasePiece, view: { now: RedisTime; goneSince: GoneSince }): RedisTime | null {
  if (piece.endedBy === 'refilled' || piece.endedBy === 'freed') return null;
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
