/** Colours, titles and moves of a terminal. `cat -v` writes the first character of a colour as `^[`. */
const TERMINAL =
  /\x1b(?:\[[0-?]{0,40}[ -/]{0,10}[@-~]|\][^\x07\x1b\n]{0,500}(?:\x07|\x1b\\)?|[ -/]{0,3}[0-~])|\^\[\[[\d;]{0,20}[mK]/g;

/** Whether a text has control sequences of a terminal. */
export function hasControls(text: string): boolean {
  return text.includes('\x1b') || text.includes('\b') || text.includes('^[[');
}

/**
 * Line ends of Unicode, which some loggers write so that a text stays one line, and `\v`, with which text programs
 * break lines.
 */
const OTHER_ENDS = /[\u2028\u2029\x85\v]/g;

/** A text without control sequences of a terminal, without NULs, and with `\n` as the end of each line. */
export function plainText(text: string): string {
  const shown = hasControls(text) ? text.replace(TERMINAL, '').replace(/[^\x08\n]?\x08/g, '') : text;
  const kept = shown.includes('\0') ? shown.replaceAll('\0', '') : shown;
  return (kept.includes('\r') ? kept.replace(/\r+\n|\r/g, '\n') : kept).replace(OTHER_ENDS, '\n');
}
