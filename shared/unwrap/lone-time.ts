const LONE_TIME =
  /^\s{0,9}\[?(?:\d{4}[-/]\d\d[-/]\d\d[T ]|[A-Z][a-z]{2} \d{1,2}(?:, \d{4})?(?: @)? )\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z| ?[+-]\d\d:?\d\d| [A-Z]{3,4})?\]?\s{0,9}$/;

/** Whether a line contains only a time, as the lines above each message when the page of CloudWatch is copied. */
export function isLoneTime(line: string): boolean {
  return line.length < 60 && LONE_TIME.test(line);
}

/** With fewer lines that contain only a time, nothing is removed: a dump has such a line itself. */
const FEWEST_TIMES = 4;

/**
 * The text without lines that contain only a time, if there are 4 or more: at least a quarter of all that have content.
 */
export function withoutLoneTimes(text: string): string {
  const lines = text.split('\n');
  const others = lines.filter((line) => !isLoneTime(line));
  const times = lines.length - others.length;
  return times >= FEWEST_TIMES && times * 4 >= lines.filter((line) => line.trim() !== '').length
    ? others.join('\n')
    : text;
}
