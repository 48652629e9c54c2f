/** Sizes of rows and marks, in CSS pixels. */
export const RULER_PX = 28;
export const LOCK_ROW_PX = 28;
export const KEY_ROW_PX = 66;
export const THREAD_ROW_PX = 60;
/** The height of a lane without a hold or a renewal in the view. */
export const WAITER_ROW_PX = 28;
export const QUIET_ROW_PX = 32;
export const EMPTY_ROW_PX = 28;

/** Middle of the bars of a thread lane, from its top. */
export const MID_PX = 34;
export const HOLD_PX = 24;
export const WAIT_PX = 14;
/** Bottom of the triangles above the bar. */
export const RENEWAL_PX = MID_PX - HOLD_PX / 2 - 2;

/**
 * The line that shows the TTL falls between these two heights in the key lane, below the title of a problem of the lock
 * above.
 */
export const LEASE_TOP_PX = 11;
export const LEASE_BOTTOM_PX = 60;

/** Spans narrower than this share one mark with a density tint. */
export const NARROW_PX = 3;
/** The greatest width of such a mark: a wider one would hide which parts are busy. */
export const DENSE_PX = 12;
/** Points of one kind closer than this become one mark with a count. */
export const CLOSE_PX = 6;
/** Crowded points of one kind become one mark for each range of this width. */
export const CROWD_PX = 12;
/** A bar narrower than this has no words. */
export const LABEL_FROM_PX = 24;
/** Size of the label font. A Chinese character is this wide. */
export const LABEL_PX = 12;
/** Widths of other characters at this size, a little more than in the font Inter. The first match counts. */
const CHAR_PX: readonly (readonly [RegExp, number])[] = [
  [/[ !',.:;I()[\]|`’·/\\fijlt]/, 4],
  [/["*?^_{}1rs-]/, 5.8],
  [/[%@MWmw…→↩]/, 10.8],
  [/[#$&+<=>~×A-Z]/, 8.6],
];
const OTHER_CHAR_PX = 7.1;
/** Bold letters are wider by this factor. */
export const BOLD_FACTOR = 1.05;
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/;
/** A bar that has not ended fades out over this width. */
export const FADE_PX = 28;

/** The estimated width of a label whose text has this size, in pixels. */
export function labelWidth(text: string, px = LABEL_PX): number {
  let width = 0;
  for (const character of text) width += charWidth(character);
  return (width * px) / LABEL_PX;
}

const charWidths = new Map<string, number>();

function charWidth(character: string): number {
  const known = charWidths.get(character);
  if (known !== undefined) return known;
  const narrow = CHAR_PX.find(([characters]) => characters.test(character))?.[1] ?? OTHER_CHAR_PX;
  const width = WIDE.test(character) ? LABEL_PX : narrow;
  charWidths.set(character, width);
  return width;
}
