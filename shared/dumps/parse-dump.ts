import { isJsonWithin, type JsonBounds } from '../base/json-bounds.ts';
import { fail, type Result } from '../base/result.ts';
import { parseActuator } from './formats/actuator-format.ts';
import { parseFileJson } from './formats/file-json-format.ts';
import { parseFileText } from './formats/file-text-format.ts';
import { fieldsOf } from './formats/json-value.ts';
import { parsePrint } from './formats/print-format.ts';
import { isFileText } from './looks-like-dump.ts';
import type { DumpFault, ThreadDump } from './thread-dump.ts';

/** Parses a dump of the threads of a JVM. The text shows its format. Of several dumps in it, the last is used. */
export function parseDump(text: string): Result<ThreadDump, DumpFault> {
  const clean = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  if (/^\s{0,1000}\{/.test(clean.slice(0, 1001))) return parseJson(clean);
  return isFileText(clean) ? parseFileText(clean) : parsePrint(clean);
}

/** A dump of 20 MB has fewer values. They take about 70 MB, beside the text. */
const BOUNDS: JsonBounds = { depth: 64, values: 600_000 };

function parseJson(text: string): Result<ThreadDump, DumpFault> {
  if (!isJsonWithin(BOUNDS, text)) return fail('not-a-dump');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const isCut = /"threadDump"|"threads"/.test(text.slice(0, 2000));
    return fail(isCut ? 'cut' : 'not-a-dump');
  }
  const fields = fieldsOf(value) ?? {};
  return parseFileJson(fields) ?? parseActuator(fields) ?? fail('not-a-dump');
}
