import { firstFrom } from '../../../shared/base/search.ts';
import { millisBetween } from '../../../shared/base/time.ts';
import { durationText } from '../../ui/time-text.ts';
import type { Words } from '../../words/words.ts';
import type { Track, WakeArrow } from '../model/marks.ts';
import { HOLD_PX, labelWidth } from './metrics.ts';
import { laneKey } from './rows.ts';
import type { Scale } from './scale.ts';

/** A wake-up between two lanes, in pixels of the canvas. */
export type ArrowItem = {
  readonly lockId: string;
  /** The acquisition that it leads to, and the events that it leads from, by their `seq`. */
  readonly seq: number;
  readonly causes: readonly number[];
  /** One of many: it is drawn faintly and without words. */
  readonly isFaint: boolean;
  readonly by: 'message' | 'own-timer';
  readonly x0: number;
  readonly x1: number;
  /** Tops of the two lanes; null if the cause has no lane in the picture. */
  readonly fromTop: number | null;
  readonly toTop: number;
  /** `PUBLISH, awake in 0.3 ms`; empty if it is faint. */
  readonly words: string;
  /** Free pixels on the side of the words. */
  readonly room: number;
  /** Free pixels between the bars of the lane where the arrow begins and of the next lane in its direction. */
  readonly gap: number;
};

/** An arrow whose head is closer than this to the head of the previous arrow is left out. */
const ARROWS_APART_PX = 10;
/** With more arrows in view than this per pixel, and more than `FEW_ARROWS`, all arrows of a lock are faint. */
const CROWDED_ARROWS = 1 / 100;
const FEW_ARROWS = 6;

/** Lays out the `chosen` wake-ups of a lock, without those too close to the previous one or to a hidden lane. */
export function arrowItems(
  track: Track,
  { scale, tops }: { readonly scale: Scale; readonly tops: ReadonlyMap<string, number> },
  texts: Words,
  chosen: readonly WakeArrow[] = track.arrows,
): ArrowItem[] {
  const items: ArrowItem[] = [];
  const isFaint = isCrowded(chosen, scale);
  const start = firstFrom(chosen, scale.span.from, (arrow) => arrow.toAt);
  let lastX = Number.NEGATIVE_INFINITY;
  let wordsEnd = 0;
  const laneTops = track.lanes.flatMap(({ holder }) => tops.get(laneKey(track.id, holder)) ?? []);
  for (let i = start; i < chosen.length; i++) {
    const arrow = chosen[i] as WakeArrow; // i is below the length
    if (arrow.fromAt > scale.span.to) break;
    const x1 = scale.x(arrow.toAt);
    if (x1 - lastX < ARROWS_APART_PX) continue;
    const toTop = tops.get(laneKey(track.id, arrow.toHolder));
    if (toTop === undefined) continue;
    const next = chosen[i + 1];
    const ahead = (next ? scale.x(next.toAt) : scale.width) - x1;
    const behind = x1 - Math.max(0, wordsEnd);
    const room = arrow.by === 'message' ? ahead : behind;
    const words = isFaint ? '' : arrowWords(arrow, texts);
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
      gap: gapBeside(laneTops, fromTop, toTop),
    });
    lastX = x1;
    const isWritten = words !== '' && arrow.by === 'message' && labelWidth(words) + 12 <= room;
    wordsEnd = x1 + (isWritten ? labelWidth(words) + 20 : 0);
  }
  return items;
}

function gapBeside(laneTops: readonly number[], fromTop: number | null, toTop: number): number {
  if (fromTop === null) return 0;
  const isDown = toTop > fromTop;
  const onWay = laneTops.filter((top) => (isDown ? top > fromTop : top < fromTop));
  return Math.min(...onWay.map((top) => Math.abs(top - fromTop))) - HOLD_PX;
}

function isCrowded(arrows: readonly WakeArrow[], { span, width }: Scale): boolean {
  const inView = firstFrom(arrows, span.to, ({ toAt }) => toAt) - firstFrom(arrows, span.from, ({ toAt }) => toAt);
  return inView > FEW_ARROWS && inView > width * CROWDED_ARROWS;
}

function arrowWords(arrow: WakeArrow, { marks, time }: Words): string {
  if (arrow.by === 'own-timer') return marks.label.wokenByTimer;
  return marks.label.wokenByMessage(durationText(millisBetween(arrow.fromAt, arrow.toAt), time));
}
