const LONE_TIME =
  /^\s{0,9}\[?(?:\d{4}[-/]\d\d[-/]\d\d[T ]|[A-Z][a-z]{2} \d{1,2}(?:, \d{4})?(?: @)? )\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z| ?[+-]\d\d:?\d\d| [A-Z]{3,4})?\]?\s{0,9}$/;

/** Whether a line contains only a time, as the lines above each message when the page of CloudWatch is copied. */
export function isLoneTime(line: string): boolean {
  return line.length < 60 && LONE_TIME.test(line);
}

/** A dump has a time of its own. */
const LEAST = 4;

/** The text without such lines, if a quarter of its lines are. */
export function withoutLoneTimes(text: string): string {
  const lines = text.split('\n');
  const others = lines.filter((line) => !isLoneTime(line));
  const times = lines.length - others.length;
  return times >= LEAST && times * 4 >= lines.filter((line) => line.trim() !== '').length ? others.join('\n') : text;
}
