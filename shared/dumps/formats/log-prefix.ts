/*
 * A dump by `kill -3` is in the log of its process, where each line may have a text in front of it:
 *
 *   app-1  | 2026-11-23T14:02:11Z "main" #1 prio=5 … tid=0x0000 nid=0x1 waiting on condition
 */

/** The begin of a dump that a JVM prints. */
export const FULL_DUMP = 'Full thread dump ';

const MARKS = ['java.lang.Thread.State: ', '- locked <', '- waiting ', '- parking to wait for', '- <0x'];
const SYNCHRONIZERS = 'Locked ownable synchronizers:';
const END_MARKS = [
  'JNI global ref',
  'Found one Java-level deadlock',
  'Carrying virtual thread #',
  'Mounted virtual thread #',
];

/** The part of a line from the log that belongs to the dump; null if it does not look like a line of a dump. */
export function withoutPrefix(line: string): string | null {
  const name = line.indexOf('"');
  if (name >= 0 && / tid=0x| - Thread t@\d/.test(line)) return line.slice(name);
  for (const mark of [...MARKS, SYNCHRONIZERS, ...END_MARKS]) {
    const place = line.indexOf(mark);
    if (place >= 0) return line.slice(place);
  }
  return frameIn(line);
}

/** `at com.shop.Orders.take(Orders.java:42)`, at the end of a line. */
function frameIn(line: string): string | null {
  for (let place = line.indexOf('at '); place >= 0; place = line.indexOf('at ', place + 1)) {
    const before = line[place - 1];
    if (before !== undefined && before !== ' ' && before !== '\t') continue;
    if (/^at [^\s()]{3,1000}\([^()]{0,400}\)\s*$/.test(line.slice(place, place + 1500))) return line.slice(place);
  }
  return null;
}
