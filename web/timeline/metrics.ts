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
/** Points of one kind nearer than this become one with a count. */
export const CLOSE_PX = 6;
/** A bar needs this much room before it gets words. */
export const LABEL_FROM_PX = 24;
/** Average width of a character of the 12 px label font. */
export const CHAR_PX = 6.7;
/** What goes on fades over this width towards now. */
export const FADE_PX = 28;
