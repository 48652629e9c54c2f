import { withoutHtml } from '../unwrap/layers.ts';
import { isQuotedPrintable, withoutQuotedPrintable } from '../unwrap/mail.ts';
import { plainText } from '../unwrap/plain-text.ts';
import { learnPrefix } from '../unwrap/prefix.ts';
import { type Skipped, SkippedParts, type Wrapping } from '../unwrap/skipped.ts';
import { unwrapped } from '../unwrap/unwrap.ts';
import { DUMP, startOfDumpLine } from './dump-content.ts';
import { linesOf } from './formats/text-lines.ts';

/** Returns a dump without what logs, mails and exports put around it, and what was skipped. */
export function unwrapDump(
  text: string,
  around: readonly Wrapping[] = [],
): { readonly text: string; readonly skipped: Skipped | null } {
  const skipped = new SkippedParts();
  skipped.add(...around);
  const isMail = isQuotedPrintable(text);
  if (isMail) skipped.add('mail');
  const readable = isMail ? withoutQuotedPrintable(text) : text;
  const found = unwrapped(readable, DUMP);
  // a word of MONITOR may have a dump in it
  const isMonitor = found !== undefined && found.around.length > 0 && MONITOR.test(readable);
  if (!found || isMonitor) return { text: plainText(readable), skipped: skipped.result() };
  skipped.add(...found.around);
  const lines = withoutEscapes(withoutPrefix(found.text, skipped), skipped);
  const heads = withPlainHeads(oldestFirst(lines, skipped), skipped);
  return { text: unfolded(heads, skipped), skipped: skipped.result() };
}

const MONITOR = /^[^\n]{0,400}\d\.\d{6} \[\d{1,9} \S{1,300}\] \\{0,2}"/m;

/** A tab in front of a line as `rsyslog` or `cat -A` writes it. */
const TAB = /^(?:#011|\^I)(.*?\)?)\$?$/gm;
/** Escapes of a web page whose quotes are not escaped, as in the text of an element. */
const HTML = /&lt;(?:0x)?[\da-f]{1,32}&gt;|<br\s{0,5}\/?>|&nbsp;/i;

function withoutEscapes(text: string, skipped: SkippedParts): string {
  const isHtml = HTML.test(text);
  const plain = isHtml ? withoutHtml(text) : text;
  if (isHtml) skipped.add('html');
  const tabbed = plain.replace(TAB, '\t$1');
  if (tabbed !== plain) skipped.add('escapes');
  return tabbed;
}

/** The line behind the head of a thread; in forms without such a line, one of its stack. */
const SECOND = /^\s{0,40}java\.lang\.Thread\.State: |^3XMJAVALTHREAD/;
const FRAME = /^\s{1,40}(?:at |- |\/\/ |[\w.$/@-]{3,400}\()/;

/** The lines of a log that was exported with the newest line first: what belongs to a thread is before its head. */
function oldestFirst(text: string, skipped: SkippedParts): string {
  if (!(isNewestFirst(text, SECOND) ?? isNewestFirst(text, FRAME))) return text;
  skipped.add('newest-first');
  return text.split('\n').reverse().join('\n');
}

/** Whether lines of a form are right before heads of threads; undefined: they are neither before nor behind one. */
function isNewestFirst(text: string, form: RegExp): boolean | undefined {
  let before = '';
  let isBefore: true | undefined;
  for (const line of linesOf(text)) {
    if (form.test(line) && startOfDumpLine(before) === 0) return false;
    if (form.test(before) && startOfDumpLine(line) === 0) isBefore = true;
    before = line;
  }
  return isBefore;
}

/** The name of a thread between quotes of which a text program replaced at least one. */
const TYPESET_HEAD =
  /^([^\S\n]*)(?:[\u201c-\u201f\u00ab\u00bb\uff02](.{1,500}?)["\u201c-\u201f\u00ab\u00bb\uff02]|"(.{1,500}?)[\u201c-\u201f\u00ab\u00bb\uff02])(?=\s(?:#\d|daemon |prio=|os_prio=|Id=\d|tid=))/gm;

/**
 * Plain quotes around each name: without them a thread would seem to be missing, although others of the dump are read. Names
 * between plain quotes do not match, since a dump may have a million of them.
 */
function withPlainHeads(text: string, skipped: SkippedParts): string {
  return text.replace(TYPESET_HEAD, (_, indent: string, name: string | undefined, other: string | undefined) => {
    skipped.add('typography');
    return `${indent}"${name ?? other}"`;
  });
}

/** A line of a thread without a text in front: a logger puts one only before the first line of what it logs. */
const DETAIL =
  /^\s{1,40}(?:at \S|- \S|\.\.\.$|java\.lang\.Thread\.State: |Locked ownable synchronizers|Number of locked)/;

function withoutPrefix(text: string, skipped: SkippedParts): string {
  const prefix = learnPrefix(linesOf(text), startOfDumpLine);
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
    kept.push(partial + own);
    partial = '';
    // a container engine divides long lines, and marks all parts but the last one
    if (/ (?:stdout|stderr) P $/.test(line.slice(0, line.length - own.length))) partial = kept.pop() ?? '';
  }
  if (partial !== '') kept.push(partial);
  return kept.join('\n');
}

/** Lines that go on in the next one: a mail program breaks lines between words. */
const OPEN_END =
  /^\s{0,40}at$|^\s{0,40}- .{0,300}(?:\(an?|\bto|\bfor|\block|\bon)$|^".{1,300}(?:\bon|\bowned|\bby|owned by ".{0,300}")$/;

function unfolded(text: string, skipped: SkippedParts): string {
  let isFolded = false;
  const lines: string[] = [];
  for (const line of linesOf(text)) {
    const before = lines.at(-1);
    if (before !== undefined && before.length < 1000 && OPEN_END.test(before) && isRest(line)) {
      lines[lines.length - 1] = `${before} ${line.trim()}`;
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
