import type { LaneItem } from '../../layout/layout-lane.ts';
import { DENSE } from './draw-dense.ts';
import { HOLD } from './draw-hold.ts';
import { POINT } from './draw-point.ts';
import { RUN } from './draw-run.ts';
import { WAIT } from './draw-wait.ts';
import type { LaneMark } from './lane-mark.ts';

type Table = { readonly [Kind in LaneItem['kind']]: LaneMark<Extract<LaneItem, { kind: Kind }>> };

const LANE_MARKS: Table = { hold: HOLD, wait: WAIT, run: RUN, dense: DENSE, point: POINT };

/** Returns how an item of this kind is drawn, framed and found under the pointer. */
export function laneMarkOf({ kind }: LaneItem): LaneMark<LaneItem> {
  return LANE_MARKS[kind] as LaneMark<LaneItem>; // safe: callers pass the mark only items of its own kind
}
