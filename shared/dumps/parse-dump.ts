import { fail, ok, type Result } from '../base/result.ts';
import type { Wrapping } from '../unwrap/skipped.ts';
import { isFileText, parseFileText } from './formats/file-text-format.ts';
import { isJavacore, parseJavacore } from './formats/javacore-format.ts';
import { parseDocuments } from './formats/json-documents.ts';
import { parsePrint } from './formats/print-format.ts';
import type { DumpFault, ParsedDump, ThreadDump } from './thread-dump.ts';
import { unwrapDump } from './unwrap-dump.ts';
import { whatItSeems } from './what-it-seems.ts';

/**
 * Parses a dump of the threads of a JVM, without what is around it. The text shows its format. If it has several dumps,
 * the last is used. `around`: what the caller has already removed.
 */
export function parseDump(text: string, around: readonly Wrapping[] = []): Result<ThreadDump, DumpFault> {
  const bare = unwrapDump(text, around);
  const read = parseBare(withoutCutIds(bare.text.replace(MACRO, '').replace(UNFINISHED, '')));
  if (read.ok && isProse(read.value, bare.text)) return fail('not-a-dump');
  if (read.ok) {
    const isWhole = read.value.isWhole && !GAP.test(bare.text);
    return ok({ ...read.value, isWhole, skipped: bare.skipped });
  }
  // taking off what is around the lines may have damaged a document
  const broken = read.error === 'cut' ? parseDocuments(text) : read;
  if (broken.ok) return ok({ ...broken.value, skipped: null });
  const seems = read.error === 'not-a-dump' || read.error === 'no-ids' ? whatItSeems(bare.text) : 'not-a-dump';
  return seems === 'not-a-dump' ? read : fail(seems);
}

/**
 * A line that begins or ends a block of code in a ticket: `{code:java}`, `{noformat}`. It is not a document of JSON.
 */
const MACRO = /^[^\S\n]*\{(?:code|noformat|panel|quote)(?::[^{}\n]{0,200})?\}[^\S\n]*$/gm;

/**
 * Whether only names and numbers were found, as in `the issue "lock hangs" #31`. A thread has a state, a stack or a
 * `tid` as well.
 */
function isProse({ threads }: ParsedDump, text: string): boolean {
  return (
    threads.every(({ state, stack }) => state === null && stack.length === 0) && !/" #\d[^\n]{0,400} tid=/.test(text)
  );
}

/** An id at the end of a text that was cut, or of a line that was broken within it: its last digits may be missing. */
const UNFINISHED = /(?:#|t@|[Ii]d=|getId:0x)[\dA-F]{1,16}(?:$|(?=\n\d))/g;

/** A frame without its end, and an id at the end of a line. */
const CUT_FRAME = /^\s{0,40}at [^)]{0,1000}$/;
const LAST_ID = /(?:#|t@|[Ii]d=|getId:0x)[\dA-F]{1,16}$/;

/**
 * Removes ids that may lack digits from a text whose lines were all cut at one width, as by `cut -c1-80`. Frames of
 * that width show such a text.
 */
function withoutCutIds(text: string): string {
  const lines = text.split('\n');
  const width = lines.reduce((most, line) => Math.max(most, line.length), 0);
  if (!lines.some((line) => line.length === width && CUT_FRAME.test(line))) return text;
  return lines.map((line) => (line.length === width ? line.replace(LAST_ID, '') : line)).join('\n');
}

/** A line that replaces lines that were left out: `...`, `[… 120 lines truncated …]`, `<snip>`. */
const GAP =
  /^[^\S\n]{0,40}(?:[^\w\s"]{0,5}(?:\.{3}|…)[^\w\n]{0,5}|(?!at |- |")[^\n]{0,60}\b(?:snip(?:ped)?|truncated|omitted)\b[^\w\n]{0,9})$/im;

const JSON_DUMP = /"(?:thread(?:Name|Id|State|Dump|Containers|-name|-id)|tid)"/;

function parseBare(text: string): Result<ParsedDump, DumpFault> {
  if (isJavacore(text)) return parseJavacore(text);
  if (isFileText(text)) return parseFileText(text);
  const read = parsePrint(text);
  if (read.ok || read.error !== 'not-a-dump' || !JSON_DUMP.test(text)) return read;
  return parseDocuments(text);
}
