import type { Content } from '../unwrap/unwrap.ts';
import { linesOf } from './formats/text-lines.ts';
import { threadHeadIn } from './formats/thread-head.ts';

/*
 * The forms of lines in a dump that show where the line begins, whatever is in front of it:
 *
 *   "worker-1" #31 prio=5 …          "worker-1" prio=5 Id=31 BLOCKED …          "worker-1" - Thread t@31
 *   #31 "worker-1" BLOCKED …         "threadName" : "worker-1",                 Thread 831: (state = BLOCKED)
 *   3XMTHREADINFO      "worker-1" J9VMThread:0x00123400 …
 */

const BEHIND_NAME =
  /" (?:#\d{1,16}(?:$| (?:\[\d|daemon |virtual |prio=|os_prio=|cpu=|tid=|nid=))|- Thread t@\d|(?:daemon )?prio=\d{1,3} (?:Id=\d|tid=|os_prio=)|[Ii]d=\d{1,16} (?:[A-Z]|\w{1,20}=)|daemon prio=)/;
const NUMBERED = /(?:(?<![^\s>|:\]}+-])|(?<=\bMESSAGE=))(?:Thread )?#\d{1,16} "(?!"[^ \n])[^\n]{0,1000}/;
const FORCED = /(?<![^\s>|:\]}+-])Thread \d{1,10}: \(state = [A-Z_]{3,30}\)/;
const JAVACORE_THREAD = /(?:(?<![^\s>|:\]}+-])|(?<=\bMESSAGE=))3XMTHREADINFO {1,20}"/;
const FIELD =
  /^([^{"\n]{0,400}?)\s*(?<!["\\])"(?:threadName|threadState|threadId|threadDump|threadContainers|thread-name|thread-id|processId|tid)"\s*:/;
/** The beginning of a whole document on one line. */
const DOCUMENT =
  /[[{]\s*(?:"(?:threads|value|result)"\s*:\s*\[\s*)?\{?\s*"(?:threadName|threadId|blockedTime|threadDump|thread-name|thread-id|tid|threadContainers)"\s*:/;

/** An escaped line end: the whole dump is on this line. */
const ESCAPED_END = /\\n(?:\\[tn]| {3}|")|#012(?:#01[12]| {3}|")/;

/** Where a line of a dump begins, if the line shows that; otherwise -1. */
export function startOfDumpLine(line: string): number {
  if (ESCAPED_END.test(line)) return -1;
  const head = startOfHead(line);
  if (head >= 0) return head;
  const numbered = NUMBERED.exec(line) ?? FORCED.exec(line) ?? JAVACORE_THREAD.exec(line);
  if (numbered) return numbered.index;
  const field = FIELD.exec(line);
  if (field) return (field[1] ?? '').trimEnd().length;
  return DOCUMENT.exec(line)?.index ?? -1;
}

/** What may be right before a name, for example in `MESSAGE="worker-1"` of a journal, or `<![CDATA["worker-1"`. */
const BEFORE_NAME = /(?:[\s<>|│:\])}+`-]|\bMESSAGE=|CDATA\[|(?:^|\s)')$/;

/** What is before the name of another thread: `Waiting on: shop.Prices@1a2b owned by: "prices" #52`. */
const OWNED_BY = /\b(?:owned|held|locked) by:?\s$/i;

/** `"name" #31 …`: the name may contain quotes, which are escaped in JSON and doubled in a table. */
function startOfHead(line: string): number {
  const tail = BEHIND_NAME.exec(line);
  if (!tail || line[tail.index - 1] === '\\') return -1;
  let open = line.indexOf('"');
  while (open > 0 && !BEFORE_NAME.test(line.slice(Math.max(0, open - 8), open))) open = line.indexOf('"', open + 1);
  if (/^:""[^" ]/.test(line.slice(open - 1, open + 3))) open++; // the quote of a field that was broken
  if (open < 0 || open >= tail.index || OWNED_BY.test(line.slice(0, open))) return -1;
  // a sentence may name a thread as well
  return isDoubled(line, open, tail.index) || !threadHeadIn(line.slice(open)) ? -1 : open;
}

/** Whether both quotes around a name are doubled, as in a table. */
function isDoubled(line: string, open: number, end: number): boolean {
  if (line[end - 1] !== '"' || end - 1 === open) return false;
  const before = line.lastIndexOf('"', end - 2);
  return before > open && line[before - 1] === '"';
}

/** Dumps of threads in any format. */
export const DUMP: Content = {
  mayBeIn: (text) =>
    /prio=\d|#\d{1,16}\s|Thread t@\d|[Ii]d=\d|"tid"|thread(?:Name|Id|Dump|Containers|-name|-id)|3XMTHREADINFO|\(state = /.test(
      text,
    ),
  isIn(text) {
    for (const line of linesOf(text)) if (startOfDumpLine(line) >= 0) return true;
    return false;
  },
};
