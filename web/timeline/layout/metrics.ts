/** Sizes of rows and marks, in CSS pixels. */
export const RULER_PX = 28;
export const LOCK_ROW_PX = 28;
export const KEY_ROW_PX = 66;
export const THREAD_ROW_PX = 60;
export const QUIET_ROW_PX = 32;

/** Middle of the bars of a thread lane, from its top. */
export const MID_PX = 34;
export const HOLD_PX = 24;
export const WAIT_PX = 14;
/** Bottom of the triangles that stand on the bar. */
export const RENEWAL_PX = MID_PX - HOLD_PX / 2 - 2;

/** The falling lease runs between these lines of the key lane. */
export const LEASE_TOP_PX = 8;
export const LEASE_BOTTOM_PX = 60;

/** Marks narrower than this share one mark with a density tint. */
export const NARROW_PX = 3;
/** How wide such a mark may be: wider ones would hide where it is busy and where it is not. */
export const DENSE_PX = 12;
/** Points of one kind nearer than this become one with a count. */
export const CLOSE_PX = 6;
/** Of crowded points of one kind there is one for each stretch as wide as this. */
export const CROWD_PX = 12;
/** A bar needs this much room before it gets words. */
export const LABEL_FROM_PX = 24;
/** Size of the label font. Chinese characters are as wide as it is high. */
const LABEL_PX = 12;
/** Average width of its other characters. */
const CHAR_PX = 6.7;
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/;
/** What goes on fades over this width towards now. */
export const FADE_PX = 28;

/** About how wide a label is drawn. */
export function labelWidth(text: string): number {
  let width = 0;
  for (const character of text) width += WIDE.test(character) ? LABEL_PX : CHAR_PX;
  return width;
}
