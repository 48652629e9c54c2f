import { BodyLines } from '../unwrap/body-lines.ts';
import { withoutGuillemets, withoutHtml } from '../unwrap/layers.ts';
import { withoutLoneTimes } from '../unwrap/lone-time.ts';
import { withoutQuotedPrintable } from '../unwrap/mail.ts';
import { plainText } from '../unwrap/plain-text.ts';
import { learnPrefix } from '../unwrap/prefix.ts';
import { type Skipped, SkippedParts, type Wrapping } from '../unwrap/skipped.ts';
import { linesOfOneSource } from '../unwrap/sources.ts';
import { unwrapped } from '../unwrap/unwrap.ts';
import { DUMP, startOfDumpLine } from './dump-content.ts';
import { linesOf } from './formats/text-lines.ts';
import { threadHeadIn } from './formats/thread-head.ts';

/** Returns a dump without the text that logs, mails and exports add to it, and names what was skipped. */
export function unwrapDump(
  text: string,
  around: readonly Wrapping[] = [],
): { readonly text: string; readonly skipped: Skipped | null } {
  const skipped = new SkippedParts();
  skipped.add(...around);
  const readable = linesOfLastSource(bodyOf(text, skipped), skipped);
  const found = unwrapped(readable, DUMP);
  // an argument in a line of MONITOR may contain a dump
  const isMonitor = found !== undefined && found.around.length > 0 && MONITOR.test(readable);
  if (!found || isMonitor) return { text: plainText(readable), skipped: skipped.result() };
  skipped.add(...found.around);
  const plain = withoutLoneTimes(found.text);
  skipped.lines += plain === found.text ? 0 : found.text.split('\n').length - plain.split('\n').length;
  const lines = withoutEscapes(withoutPrefix(plain, skipped), skipped);
  const heads = withPlainHeads(oldestFirst(lines, skipped), skipped);
  return { text: unfolded(heads, skipped), skipped: skipped.result() };
}

/** A mail, a diff or RTF. `prio=3D5` shows a mail without its head: dumps have `prio=`, and mails encode `=`. */
const IN_BODY = /^(?:Content-(?:Transfer-Encoding|Type):|@@ -\d|\d{1,9}(?:,\d{1,9})?[acd]\d)|^\s{0,99}\{\\rtf\d/im;
const QUOTED_PRINTABLE = /(?<=\bprio)=3D\d/;

/** The text inside a mail, a diff or RTF; any other text as it is. */
export function bodyOf(text: string, skipped = new SkippedParts()): string {
  if (!IN_BODY.test(text)) {
    if (!QUOTED_PRINTABLE.test(text)) return text;
    skipped.add('mail');
    return withoutQuotedPrintable(text);
  }
  const body = new BodyLines(skipped);
  const lines: string[] = [];
  for (const line of linesOf(text)) for (const each of body.take(line)) lines.push(each);
  return [...lines, ...body.end()].join('\n');
}

function linesOfLastSource(text: string, skipped: SkippedParts): string {
  const { text: kept, left } = linesOfOneSource(text, DUMP.mayBeIn);
  skipped.lines += left;
  return kept;
}

const MONITOR = /^[^\n]{0,400}\d\.\d{6} \[\d{1,9} \S{1,300}\] \\{0,2}"/m;

/**
 * A tab in front of a line as `rsyslog`, `cat -A` or `sed -n l` writes it, and the end of a line as `cat -v` writes it.
 */
const TAB = /^(?:#011|\^I|\\t)(.*?\)?)\$?$/gm;
const RETURN = /\^M\$?$/gm;
/** Escapes of a web page whose quotes are not escaped, as in the text of an element. */
const HTML = /&lt;(?:0x)?[\da-f]{1,32}&gt;|<br\s{0,5}\/?>|&nbsp;|_x0009_/i;

function withoutEscapes(text: string, skipped: SkippedParts): string {
  const isHtml = HTML.test(text);
  const plain = isHtml ? withoutHtml(text) : text;
  if (isHtml) skipped.add('html');
  const tabbed = plain.replace(RETURN, '').replace(TAB, '\t$1');
  if (tabbed !== plain) skipped.add('escapes');
  return tabbed;
}

/** The line after the head of a thread; in forms without such a line, a line of its stack. */
const SECOND = /^\s{0,40}java\.lang\.Thread\.State: |^3XMJAVALTHREAD/;
const FRAME = /^\s{1,40}(?:at |- |\/\/ |[\w.$/@-]{3,400}\()/;

/** Reverses a log that was exported with the newest line first: in it, the lines of a thread are before its head. */
function oldestFirst(text: string, skipped: SkippedParts): string {
  if (!(isNewestFirst(text, SECOND) ?? isNewestFirst(text, FRAME))) return text;
  skipped.add('newest-first');
  return text.split('\n').reverse().join('\n');
}

/**
 * A text is newest first if at least this share of its thread heads is right behind a line of the form `SECOND` or
 * `FRAME`. Threads of the JVM itself have no such line.
 */
const SMALLEST_PART = 1 / 3;

/**
 * Whether lines of a form are right before heads of threads. False if one of these lines is right after a head.
 * Undefined: neither.
 */
function isNewestFirst(text: string, form: RegExp): boolean | undefined {
  let previous = '';
  let heads = 0;
  let before = 0;
  for (const line of linesOf(text)) {
    const isHead = /^["#T3]/.test(line) && startOfDumpLine(line) === 0;
    if (form.test(line) && startOfDumpLine(previous) === 0) return false;
    if (isHead) heads++;
    if (isHead && form.test(previous)) before++;
    previous = line;
  }
  return before > 0 && before >= heads * SMALLEST_PART ? true : undefined;
}

/** The name of a thread between quotes, at least one of which a text program replaced. */
const TYPESET_HEAD =
  /^([^\S\n]*)(?:[\u201c-\u201f\u00ab\u00bb\uff02](.{1,500}?)["\u201c-\u201f\u00ab\u00bb\uff02]|"(.{1,500}?)[\u201c-\u201f\u00ab\u00bb\uff02])(?=\s(?:#\d|daemon |prio=|os_prio=|Id=\d|tid=))/gm;

/**
 * Puts plain quotes around each name. Otherwise a thread would seem to be missing, although others of the dump are
 * read. Names between plain quotes do not match, since a dump may have a million of them.
 */
function withPlainHeads(text: string, skipped: SkippedParts): string {
  return withoutGuillemets(text).replace(
    TYPESET_HEAD,
    (_, indent: string, name: string | undefined, other: string | undefined) => {
      skipped.add('typography');
      return `${indent}"${name ?? other}"`;
    },
  );
}

/** A line of a thread without a prefix: a logger writes its prefix only before the first line of a message. */
const DETAIL =
  /^\s{1,40}(?:at \S|- \S|\.\.\.$|java\.lang\.Thread\.State: |Locked ownable synchronizers|Number of locked)/;

/** The id of the thread in a head, for example `31`; undefined for a sentence that names a thread. */
function threadOfHead(line: string): string | undefined {
  return threadHeadIn(line)?.javaId?.toString() ?? /^(?:Thread )?#(\d{1,16}) "/.exec(line)?.[1];
}

/** The end of a prefix, and the matching end of the line: in a table, a quote or a log. */
const FRAMES: readonly (readonly [front: RegExp, behind: RegExp])[] = [
  [/[|│]\s{0,9}$/, /[|│]\s{0,9}$/],
  [/'$/, /',?$/],
  [/`$/, /`$/],
  [/<$/, />$/],
];

function withoutFrame(line: string, front: string): string {
  const behind = FRAMES.find(([form]) => form.test(front))?.[1];
  return behind?.test(line) ? line.replace(behind, '').trimEnd() : line;
}

function withoutPrefix(text: string, skipped: SkippedParts): string {
  const prefix = learnPrefix(linesOf(text), startOfDumpLine, threadOfHead);
  if (!prefix || prefix.isBare) return text;
  skipped.addPrefix(prefix.example);
  const kept: string[] = [];
  let partial = '';
  let isOther = false;
  for (const line of linesOf(text)) {
    const start = startOfDumpLine(line);
    const stripped = prefix.strip(line);
    // a text in front of the first line only
    const own =
      start > 0 && stripped === line ? line.slice(start) : (stripped ?? (!isOther && DETAIL.test(line) ? line : null));
    if (own === null) {
      if (line.trim() === '') continue;
      skipped.lines++;
      isOther = true;
      continue;
    }
    if (stripped !== null) isOther = false;
    const front = line.slice(0, line.length - own.length);
    kept.push(partial + withoutFrame(own, front));
    partial = '';
    // a container engine divides long lines, and marks all parts but the last one
    if (/ (?:stdout|stderr) P $/.test(front)) partial = kept.pop() ?? '';
  }
  if (partial !== '') kept.push(partial);
  return kept.join('\n');
}

/** Lines that go on in the next one: a mail program breaks lines between words. */
const OPEN_END =
  /^\s{0,40}at\s?$|^\s{0,40}at [^()]{1,900}\([^()]{0,300}$|^\s{0,40}- .{0,300}(?:\(an?|\bto|\bfor|\block|\bon)\s?$|^".{1,300}(?:\bon|\bowned|\bby|owned by ".{0,300}")\s?$/;

function unfolded(text: string, skipped: SkippedParts): string {
  let isFolded = false;
  const lines: string[] = [];
  for (const line of linesOf(text)) {
    const before = lines.at(-1);
    if (before !== undefined && before.length < 1000 && OPEN_END.test(before) && isRest(line)) {
      lines[lines.length - 1] = `${before.trimEnd()} ${line.trim()}`;
      isFolded = true;
    } else lines.push(line);
  }
  if (!isFolded) return text;
  skipped.add('folds');
  return lines.join('\n');
}

function isRest(line: string): boolean {
  return line.trim() !== '' && !/^\s*(?:at |- |java\.lang\.Thread\.State)/.test(line) && startOfDumpLine(line) < 0;
}
