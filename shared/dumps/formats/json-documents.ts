import { isJsonWithin, type JsonBounds } from '../../base/json-bounds.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { DumpFault, ParsedDump } from '../thread-dump.ts';
import { isActuatorThread, parseActuator } from './actuator-format.ts';
import { isFileThread, parseFileJson } from './file-json-format.ts';
import { fieldsOf, itemsOf, wholeNumberOf } from './json-value.ts';

type Parsed = Result<ParsedDump, DumpFault>;

/**
 * Parses the last dump among the documents of JSON in a text, which may have other lines around them. The dump may be
 * within other fields, and each thread may be a document by itself, as after `jq '.threads[]'`.
 */
export function parseDocuments(text: string): Parsed {
  let last: Parsed = fail('not-a-dump');
  let dumps = 0;
  const take = (read: Parsed) => {
    if (read.ok) last = ok({ ...read.value, dumps: ++dumps });
    else if (read.error !== 'not-a-dump' && dumps === 0) last = read;
  };
  const loose = new LooseThreads();
  for (const document of documentsIn(text)) {
    const value = readDocument(document);
    if (value.ok && loose.add(value.value)) continue;
    for (const dump of loose.take()) take(dump);
    if (!value.ok) take(value);
    else for (const dump of dumpsIn(value.value)) take(dump);
  }
  for (const dump of loose.take()) take(dump);
  return last;
}

/** Documents that are one thread each. A document with an id that was seen before begins the next dump. */
class LooseThreads {
  #dumps: unknown[][] = [];
  #ids = new Set<number>();

  /** Returns false for another document. */
  add(value: unknown): boolean {
    const id = idOf(value);
    if (id === null) return false;
    if (this.#dumps.length === 0 || this.#ids.has(id)) {
      this.#dumps.push([]);
      this.#ids = new Set();
    }
    this.#ids.add(id);
    this.#dumps.at(-1)?.push(value);
    return true;
  }

  /** Returns the dumps so far, and removes them. None is whole: other threads may have been left out. */
  take(): Parsed[] {
    const dumps = this.#dumps;
    this.#dumps = [];
    return dumps.map((threads) => {
      const read = parseThreads(threads);
      return read?.ok ? ok({ ...read.value, isWhole: false }) : fail('not-a-dump');
    });
  }
}

function idOf(value: unknown): number | null {
  const fields = fieldsOf(value);
  if (!fields) return null;
  if (isActuatorThread(fields)) return wholeNumberOf(fields.threadId ?? fields['thread-id']);
  return isFileThread(fields) ? wholeNumberOf(fields.tid) : null;
}

function parseThreads(threads: readonly unknown[]): Parsed | undefined {
  return threads.some((thread) => isFileThread(fieldsOf(thread) ?? {}))
    ? parseFileJson({ threadContainers: [{ threads }] })
    : parseActuator(threads);
}

/** The dumps in a value: the value itself, or within its fields and items. */
function* dumpsIn(value: unknown): Generator<Parsed> {
  const fields = fieldsOf(value);
  const read = fields
    ? (parseFileJson(fields) ?? (fields.threads === undefined ? undefined : parseActuator(value)))
    : undefined;
  const list = read ?? (Array.isArray(value) ? (parseContainers(value) ?? parseThreads(value)) : undefined);
  if (list) yield list;
  else if (fields) for (const each of Object.values(fields)) yield* dumpsIn(each);
  else for (const each of itemsOf(value)) yield* dumpsIn(each);
}

/** Parses a list of containers that has no dump around it. */
function parseContainers(list: readonly unknown[]): Parsed | undefined {
  const hasThreads = list.some((each) =>
    itemsOf(fieldsOf(each)?.threads).some((thread) => isFileThread(fieldsOf(thread) ?? {})),
  );
  return hasThreads ? parseFileJson({ threadContainers: list }) : undefined;
}

/** The documents of JSON in a text, by their brackets. If the last one is cut, it goes up to the end of the text. */
function* documentsIn(text: string): Generator<string> {
  const begin = /\{(?=\s{0,100}")|\[(?=\s{0,100}[[{"])/g;
  for (let found = begin.exec(text); found; found = begin.exec(text)) {
    const end = endOfDocument(text, found.index);
    yield text.slice(found.index, end);
    begin.lastIndex = end;
  }
}

/** The place after the bracket that closes the bracket at `from`. */
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

/** A dump of 20 MB has fewer values than this limit, which allows about 70 MB in addition to the text. */
const BOUNDS: JsonBounds = { depth: 64, values: 600_000 };

function readDocument(text: string): Result<unknown, DumpFault> {
  if (!isJsonWithin(BOUNDS, text)) return fail('not-a-dump');
  // JSON needs no line breaks, and a mail program may have put some within a text or a number
  const value = parsed(text) ?? parsed(text.replaceAll('\n', ''));
  const isCut = () => /"threadDump"|"threadContainers"|"threads"|"threadName"/.test(text.slice(0, 2000));
  return value ?? fail(isCut() ? 'cut' : 'not-a-dump');
}

function parsed(text: string): Result<unknown, DumpFault> | undefined {
  try {
    return ok(JSON.parse(text));
  } catch {
    return undefined;
  }
}
