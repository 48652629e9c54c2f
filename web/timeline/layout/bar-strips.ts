import type { HoldMark } from '../model/marks.ts';
import { HOLD_PX, MID_PX } from './metrics.ts';

/** A horizontal strip of a lane, from its top. */
type Strip = { readonly y: number; readonly height: number };

/** Height of each of the two thin bars of a read hold. */
const READ_PX = 5;
/** How far they stick out, so that they are visible beside a write hold. */
const READ_OUT_PX = 2;
/** Space between permits. */
const GAP_PX = 1.5;
/** With more permits than this, there is no room for each one. */
export const MOST_UNITS = 6;

const TOP = MID_PX - HOLD_PX / 2;
const WHOLE: Strip = { y: TOP, height: HOLD_PX };
const READ: readonly Strip[] = [
  { y: TOP - READ_OUT_PX, height: READ_PX },
  { y: TOP + HOLD_PX + READ_OUT_PX - READ_PX, height: READ_PX },
];

/**
 * The strips of a lane that a hold fills.
 *
 *   writes  ████████   reads  ▔▔▔▔▔▔▔   permits  ▀▀▀▀▀▀▀
 *           ████████          ▁▁▁▁▁▁▁            ▄▄▄▄▄▄▄▄▄▄
 */
export function stripsOf({ mode, permit }: HoldMark): readonly Strip[] {
  if (mode === 'read') return READ;
  return permit && permit.slots > 1 ? [unitStrip(permit.slot, permit.slots)] : [WHOLE];
}

/** The strip of permit `index` out of `of` permits in a lane; the first is at the bottom. */
export function unitStrip(index: number, of: number): Strip {
  const height = HOLD_PX / Math.min(of, MOST_UNITS);
  return { y: TOP + HOLD_PX - (index + 1) * height, height: height - (of > 1 ? GAP_PX : 0) };
}
