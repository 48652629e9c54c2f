import type { HoldMark } from '../model/marks.ts';
import { HOLD_PX, MID_PX } from './metrics.ts';

/** A horizontal strip of a lane, from its top. */
export type Strip = { readonly y: number; readonly height: number };

/** Each of the two thin bars of a hold for reading. They reach out, so that they are seen beside a bar for writing. */
const READ_PX = 5;
const READ_OUT_PX = 2;
/** Between permits. */
const GAP_PX = 1.5;
/** Beyond this many there is no room for each of them. */
export const MOST_UNITS = 6;

const TOP = MID_PX - HOLD_PX / 2;
const WHOLE: Strip = { y: TOP, height: HOLD_PX };
const READ: readonly Strip[] = [
  { y: TOP - READ_OUT_PX, height: READ_PX },
  { y: TOP + HOLD_PX + READ_OUT_PX - READ_PX, height: READ_PX },
];

/**
 * Where a hold lies in its lane.
 *
 *   writes  ████████   reads  ▔▔▔▔▔▔▔   permits  ▀▀▀▀▀▀▀
 *           ████████          ▁▁▁▁▁▁▁            ▄▄▄▄▄▄▄▄▄▄
 */
export function stripsOf({ mode, permit }: HoldMark): readonly Strip[] {
  if (mode === 'read') return READ;
  return permit && permit.slots > 1 ? [unitStrip(permit.slot, permit.slots)] : [WHOLE];
}

/** One of so many permits in a lane: the first lies lowest. */
export function unitStrip(index: number, of: number): Strip {
  const height = HOLD_PX / Math.min(of, MOST_UNITS);
  return { y: TOP + HOLD_PX - (index + 1) * height, height: height - (of > 1 ? GAP_PX : 0) };
}
