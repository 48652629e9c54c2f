import { isJsonWithin, type JsonBounds } from '../base/json-bounds.ts';
import { fail, ok, type Result } from '../base/result.ts';
import type { Wrapping } from '../unwrap/skipped.ts';
import { parseActuator } from './formats/actuator-format.ts';
import { parseFileJson } from './formats/file-json-format.ts';
import { isFileText, parseFileText } from './formats/file-text-format.ts';
import { isJavacore, parseJavacore } from './formats/javacore-format.ts';
import { fieldsOf } from './formats/json-value.ts';
import { parsePrint } from './formats/print-format.ts';
import type { DumpFault, ParsedDump, ThreadDump } from './thread-dump.ts';
import { unwrapDump } from './unwrap-dump.ts';
import { whatItSeems } from './what-it-seems.ts';

/**
 * Parses a dump of the threads of a JVM, without what is around it. The text shows its format. Of several dumps in it, the
 * last is used. `around`: what its reader has skipped already.
 */
export function parseDump(text: string, around: readonly Wrapping[] = []): Result<ThreadDump, DumpFault> {
  const bare = unwrapDump(text, around);
  const read = parseBare(bare.text.replace(MACRO, '').replace(UNFINISHED, ''));
  if (read.ok && isProse(read.value, bare.text)) return fail('not-a-dump');
  if (read.ok) {
    const isWhole = read.value.isWhole && !GAP.test(bare.text);
    return ok({ ...read.value, isWhole, skipped: bare.skipped });
  }
  const seems = read.error === 'not-a-dump' || read.error === 'no-ids' ? whatItSeems(bare.text) : 'not-a-dump';
  return seems === 'not-a-dump' ? read : fail(seems);
}

/** A line that begins or ends a block of code in a ticket: `{code:java}`, `{noformat}`. It is not a document of JSON. */
const MACRO = /^[^\S\n]*\{(?:code|noformat|panel|quote)(?::[^{}\n]{0,200})?\}[^\S\n]*$/gm;

/** A name and a number alone, as in `the issue "lock hangs" #31`, are not a thread: it has a state, a stack or a priority. */
function isProse({ threads }: ParsedDump, text: string): boolean {
  return (
    threads.every(({ state, stack }) => state === null && stack.length === 0) &&
    !/" #\d[^\n]{0,400} (?:prio|tid)=/.test(text)
  );
}

/** An id at the end of a text that was cut: its last digits may be missing. */
const UNFINISHED = /(?:#|t@|Id=|getId:0x)[\dA-F]{1,16}$/;

/** A line in place of what was left out: `...`, `[… 120 lines truncated …]`, `<snip>`. */
const GAP =
  /^[^\S\n]{0,40}(?:[^\w\s"]{0,5}(?:\.{3}|…)[^\w\n]{0,5}|(?!at |- |")[^\n]{0,60}\b(?:snip(?:ped)?|truncated|omitted)\b[^\w\n]{0,9})$/im;

function parseBare(text: string): Result<ParsedDump, DumpFault> {
  if (isJavacore(text)) return parseJavacore(text);
  if (isFileText(text)) return parseFileText(text);
  const read = parsePrint(text);
  if (read.ok || read.error !== 'not-a-dump' || !/"thread(?:Name|Id|State|Dump)"/.test(text)) return read;
  return parseDocuments(text);
}

/** Parses the last dump among the documents of JSON in a text, which may have other lines around them. */
function parseDocuments(text: string): Result<ParsedDump, DumpFault> {
  let last: Result<ParsedDump, DumpFault> = fail('not-a-dump');
  let dumps = 0;
  for (const document of documentsIn(text)) {
    const read = parseJson(document);
    if (read.ok) last = ok({ ...read.value, dumps: ++dumps });
    else if (read.error !== 'not-a-dump' && dumps === 0) last = read;
  }
  return last;
}

/** The documents of JSON in a text, by their brackets. One that does not end goes up to the end of the text. */
function* documentsIn(text: string): Generator<string> {
  const begin = /[[{](?=\s{0,100}[[{"])/g;
  for (let found = begin.exec(text); found; found = begin.exec(text)) {
    const end = endOfDocument(text, found.index);
    yield text.slice(found.index, end);
    begin.lastIndex = end;
  }
}

/** The place behind the bracket that closes the one at `from`. */
function endOfDocument(text: string, from: number): number {
  const marks = /"(?:[^"\\]|\\[\s\S])*(?:"|$)|[[{]|[\]}]/g;
  marks.lastIndex = from;
  let depth = 0;
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    if (/[[{]/.test(mark[0][0] ?? '')) depth++;
    else if (mark[0][0] !== '"' && --depth === 0) return marks.lastIndex;
  }
  return text.length;
}

/** A dump of 20 MB has fewer values. They take about 70 MB, beside the text. */
const BOUNDS: JsonBounds = { depth: 64, values: 600_000 };

function parseJson(text: string): Result<ParsedDump, DumpFault> {
  if (!isJsonWithin(BOUNDS, text)) return fail('not-a-dump');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const isCut = /"threadDump"|"threads"|"threadName"/.test(text.slice(0, 2000));
    return fail(isCut ? 'cut' : 'not-a-dump');
  }
  const fields = fieldsOf(value) ?? {};
  return parseFileJson(fields) ?? parseActuator(value) ?? fail('not-a-dump');
}
