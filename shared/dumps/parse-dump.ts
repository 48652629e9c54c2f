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
  const read = parseBare(bare.text.replace(MACRO, ''));
  if (read.ok) return ok({ ...read.value, skipped: bare.skipped });
  const seems = read.error === 'not-a-dump' || read.error === 'no-ids' ? whatItSeems(bare.text) : 'not-a-dump';
  return seems === 'not-a-dump' ? read : fail(seems);
}

/** A line that begins or ends a block of code in a ticket: `{code:java}`, `{noformat}`. It is not a document of JSON. */
const MACRO = /^[^\S\n]*\{(?:code|noformat|panel|quote)(?::[^{}\n]{0,200})?\}[^\S\n]*$/gm;

function parseBare(text: string): Result<ParsedDump, DumpFault> {
  if (/^\s{0,1000}(?:\{|\[\s{0,100}[\]{])/.test(text.slice(0, 1200))) return parseJson(text);
  if (isJavacore(text)) return parseJavacore(text);
  if (isFileText(text)) return parseFileText(text);
  const read = parsePrint(text);
  const document = !read.ok && read.error === 'not-a-dump' ? documentIn(text) : undefined;
  return document === undefined ? read : parseJson(document);
}

/** A document of JSON with other lines around it; undefined: the text has no such document. */
function documentIn(text: string): string | undefined {
  const begin = text.search(/[[{]\s{0,100}(?:[[{]\s{0,100})?"/);
  const end = Math.max(text.lastIndexOf(']'), text.lastIndexOf('}'));
  return begin >= 0 && end > begin && /"thread(?:Name|Dump)"/.test(text) ? text.slice(begin, end + 1) : undefined;
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
