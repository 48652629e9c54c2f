import { BodyLines } from './body-lines.ts';
import { undoubled } from './cells.ts';
import { dividedRest, isDivided, isRestOfFold } from './divided-lines.ts';
import { hasKeptBytes, withoutKeptBytes } from './kept-bytes.ts';
import { isLoneTime } from './lone-time.ts';
import { hasControls, plainText } from './plain-text.ts';
import { formOf } from './prefix.ts';
import { beginsWithQuote, hasOpenQuote, withoutRepr } from './quotes.ts';
import { RecordFields } from './record-fields.ts';
import { SkippedParts } from './skipped.ts';
import { nameIn, nameInFields, sourceIn, sourceInJson } from './sources.ts';
import { beginsTerminal, TerminalLines } from './terminal-lines.ts';
import { fromWindows1252 } from './text-bytes.ts';
import { type Content, unwrapped } from './unwrap.ts';

/**
 * The time, the database and the client at the beginning of a line of MONITOR, and the first quote after them. The
 * seconds of a clock, `10:26:40.000037`, are not such a time.
 */
const HEAD =
  /(?<![\d.]|\d:\d\d:(?=\d\d\.))[1-9]\d{0,11}\.\d{6}[ \t]\[\d{1,9}[ \t](?:unix:[^"]{1,200}|[^\s"\\]{1,200})\][ \t]"[^"\\]/;
const BARE = new RegExp(`^${HEAD.source}`);
/** A line that begins as a line of MONITOR does, but is damaged further on. */
const DAMAGED = /^[1-9]\d{0,11}\.\d{6} \[\d{1,9} /;
/** A line in a cell of a table that contains several lines: quotes in the cell are doubled. */
const DOUBLED = /^\d{1,12}\.\d{6} \[\d{1,9} [^"]{1,200}\] ""[^"\s]/;
/** What still shows a head whose blanks and quotes were replaced. */
const TRACE = /\d\.\d{6}(?:<\/?span[^<>]{0,60}>|\W|&nbsp;|&#160;){1,12}\[(?:<\/?span[^<>]{0,60}>){0,4}\d/;
/** A typographic quote before the first word, as a byte of Windows-1252. */
const QUOTE_OF_WINDOWS = /\][ \t]{1,9}[\udc84\udc93\udc94\udcab\udcbb]/;
/** A line that ends within its head: the file was cut off there. */
const CUT_HEAD = /^\d{9,12}(?:\.\d{0,6}(?: (?:\[[^"]{0,200})?)?)?\ufffd?$/;

/** Ends of lines that are still escaped: several lines are in one. */
const JOINED = new RegExp(`\\\\n${HEAD.source}`);

const MONITOR: Content = { isIn: (text) => HEAD.test(text) && !JOINED.test(text), mayBeIn: (text) => TRACE.test(text) };

/**
 * What may follow the last quote: the end of a row in Markdown, of a text in a program, of a line by `cat -A`, or of a
 * colour; an element of a page; the column of a time; or a note by a person, `# A takes it`, `<-- here`.
 */
const BEHIND =
  /"(?:(?:[\s'`|│,;$)\]}>*_\\↵¶]|\^M|(?:\\(?:x1b|033|e)|ESC|\u241b)?\[\d{0,3}[mK]|_x000[aAdD]_|<\/?[a-zA-Z][^<>"]{0,40}>|<\d{1,3}>|\\par){1,400}|\s{1,40}(?:#|\/\/|--|←|<-)[^"]{0,300}|\t\d{10,19})$/;
/** Fields that a logger writes after the text: `{"timestamp":"…"}`, `[] []`. A line of MONITOR ends with a quote. */
const FIELDS_BEHIND = /(?<!\\)"\s{1,40}[[{][^\n]{0,2000}[\]}]$/;
const LONGEST_BEHIND = 2050;
/** What is between two lines of MONITOR that are on one line of the text. */
const BETWEEN_LINES = new RegExp(`(?<=")[\\s',;]{0,9}(?:<[^<>"]{1,40}>){0,3}(?=${HEAD.source})`);
/**
 * An address that a chat made a link of: `<http://10.0.0.7:51422|10.0.0.7:51422>`,
 * `[10.0.0.7:51422](http://10.0.0.7:51422)`.
 */
const LINK = /<https?:\/\/([^\s|<>]{1,200})\/?\|\1>|\[([^\s[\]]{1,200})\]\(https?:\/\/\2\/?\)/g;
/** Blanks between words that are not one blank. In a word, Redis escapes tabs and quotes. */
const BLANKS = /(?<=\]|[^\\]")(?:[ \t]{2,20}|\t)(?=")/g;
const TABS_OF_HEAD = /^(\S{1,20})[ \t]{1,9}\[(\d{1,9})[ \t]{1,9}/;
/** What `tail` and `head` write in front of the lines of each file. */
const HEADING = /^==> (.{1,300}) <==\s{0,9}$/;
/** A line without content, or the end of a cell of a table. */
const NOTHING = /^[\s",;]*$/;

/** Lines in a place where a line of MONITOR may be missing: how many, and the numbers of the first. */
type LostLines = { readonly first: readonly number[]; readonly count: number };

/** What a text has next: a line of MONITOR, a place where lines may be missing, or a line of another server. */
export type MonitorPart =
  | { readonly line: string; readonly number: number; readonly width: number }
  | { readonly lost: LostLines }
  | { readonly sources: readonly [string, string] };

/** Elements of a web page without text, and what a pager wrote between two screens. */
const MARKUP =
  /^(?:\s{0,99}<\/?(?:t[drh]|table|t(?:body|head)|div|span|p|br|pre|code|[uo]l|li|html|body|a|font)\b[^<>]{0,300}>){1,50}\s{0,99}$|^--More--(?:\(\d{1,3}%\))?$/i;

const MOST_NUMBERS = 100;
const MOST_PARTS = 200;
const MOST_NAMES = 100;
/** How many characters may be unwrapped without finding a line: a hostile text contains nothing else. */
const MOST_WITHOUT = 8 * 1024 * 1024;

/**
 * Names in front of lines. An id, a date or a level may be there as well, but only names of several servers alternate.
 */
class Names {
  readonly #seen = new Set<string>();
  #last: string | null = null;

  /**
   * Takes the next name. If it differs from the last one and was seen earlier, returns the last one; otherwise null.
   */
  nameBeforeReturn(name: string): string | null {
    if (name === this.#last) return null;
    const before = this.#last;
    this.#last = name;
    if (this.#seen.has(name)) return before;
    if (this.#seen.size < MOST_NAMES) this.#seen.add(name);
    return null;
  }
}

/** `width`: the length of the line of the file. `isQuoted`: that line begins with a quote. */
type Open = {
  line: string;
  readonly number: number;
  readonly width: number;
  parts: number;
  isDivided: boolean;
  readonly isQuoted: boolean;
  lastLength: number;
};

/**
 * Finds the lines of MONITOR in a text, whatever a terminal, a container, a log or a mail put around them. Other lines
 * before the first and after the last one are skipped; between two lines they may be lines that were lost.
 *
 *   10.0.0.5:6379> MONITOR                                                  skipped
 *   redis-1  | 1795218454.496776 [0 127.0.0.1:49168] "GET" "a"              a line, with a text in front
 *   {"log":"1795218454.496776 [0 lua] \"exists\" \"orders:42\"\n"}          a line in JSON
 *   app-1    | started                                                      skipped: of another source
 */
export class MonitorLines {
  readonly skipped = new SkippedParts();
  readonly #body = new BodyLines(this.skipped);
  /** Whether a line of MONITOR was found. */
  isBegun = false;
  #number = 0;
  /** The newest line, which the next one may continue. */
  #open: Open | undefined;
  #between: { first: number[]; count: number } = { first: [], count: 0 };
  #room = MOST_WITHOUT;
  #source: string | null = null;
  #prefix = '';
  #file: string | null = null;
  #terminal: TerminalLines | undefined;
  readonly #names = new Names();
  readonly #fields = new RecordFields();

  /** Takes the next line of the text. Returns the lines that no later text can change. */
  add(text: string): MonitorPart[] {
    this.#number++;
    if (this.#terminal) return this.#terminal.take(text).flatMap((line) => this.#addLine(line));
    if (this.#number === 1 && beginsTerminal(text)) {
      this.#terminal = new TerminalLines();
      this.skipped.add('json');
    }
    return this.#addLine(text);
  }

  #addLine(text: string): MonitorPart[] {
    const isOther = hasKeptBytes(text) && (!TRACE.test(text) || QUOTE_OF_WINDOWS.test(text));
    const lines = this.#body.take(isOther ? this.#asWindows1252(text) : text);
    return lines.length === 1 ? this.#take(lines[0] ?? '') : lines.flatMap((line) => this.#take(line));
  }

  /** Decodes a text that is not a line of MONITOR, or a line with typographic quotes. */
  #asWindows1252(line: string): string {
    this.skipped.add('windows-1252');
    return withoutKeptBytes(line, fromWindows1252);
  }

  #take(text: string): MonitorPart[] {
    if (!hasControls(text) && BARE.test(text)) return this.#foundAll(text, '', text);
    const inner = this.#room > 0 ? unwrapped(text, MONITOR) : undefined;
    if (!inner && TRACE.test(text)) this.#room -= text.length;
    const line = plainText(text);
    if (!inner && DOUBLED.test(line)) {
      this.skipped.add('csv');
      return this.#found(undoubled(line), '', line);
    }
    if (!inner && DAMAGED.test(line)) return this.#found(line, '', line);
    if (!inner || (inner.around[0] === 'escapes' && hasOpenQuote(line))) return this.#addOther(line);
    this.skipped.add(...inner.around);
    this.#fields.found(line);
    const parts: MonitorPart[] = [];
    for (const each of inner.text.split('\n')) {
      const start = HEAD.exec(each)?.index;
      if (start !== undefined) parts.push(...this.#foundAll(each.slice(start), each.slice(0, start), line));
    }
    if (this.#open) this.#open.isDivided = isDivided(line, inner.text);
    return parts;
  }

  /** Skips a line that is too long to be read. */
  skip(): MonitorPart[] {
    this.#number++;
    return this.#close();
  }

  /** Call it after the last line. `isCut`: the end of the text is missing. */
  end(isCut = false): MonitorPart[] {
    const left = this.#terminal?.end().flatMap((line) => this.#addLine(line)) ?? [];
    const rest = [...left, ...this.#body.end().flatMap((line) => this.#take(line))];
    const parts = [...rest, ...this.#close()];
    if (isCut) return [...parts, { lost: { first: [this.#number + 1], count: 1 } }];
    this.skipped.lines += this.#between.count;
    return parts;
  }

  /** Several lines may be on one: the text of a list in a program. In a word, the quote of another line is escaped. */
  #foundAll(text: string, prefix: string, whole: string): MonitorPart[] {
    const line = prefix.endsWith("'") ? withoutRepr(text, prefix) : text;
    if (line === undefined) return [...this.#close(), { lost: { first: [this.#number], count: 1 } }];
    const isOne = line.indexOf('] "', line.indexOf('] "') + 3) < 0;
    return (isOne ? [line] : line.split(BETWEEN_LINES)).flatMap((each) => this.#found(each, prefix, whole));
  }

  /** `whole`: the line of the text that contains `line`. */
  #found(line: string, prefix: string, whole: string): MonitorPart[] {
    const parts = this.#close();
    const source = sourceIn(prefix) ?? (whole === line ? null : sourceInJson(whole));
    if (source !== null && this.#source !== null && source !== this.#source) {
      return [...parts, { sources: [this.#source, source] }];
    }
    const name = nameIn(prefix) ?? (whole === line ? null : nameInFields(whole));
    const other = name === null ? null : this.#names.nameBeforeReturn(name);
    if (other !== null) return [...parts, { sources: [name ?? '', other] }];
    this.#source ??= source;
    this.#prefix = prefix;
    this.skipped.addPrefix(prefix);
    if (this.#between.count > 0) {
      if (this.isBegun) parts.push({ lost: this.#between });
      else this.skipped.lines += this.#between.count;
      this.#between = { first: [], count: 0 };
    }
    this.isBegun = true;
    const own = this.#withPlainBlanks(this.#withoutMarks(line));
    const isQuoted = beginsWithQuote(whole);
    const begun = { line: own, number: this.#number, width: whole.length, parts: 1, isDivided: false };
    this.#open = { ...begun, isQuoted, lastLength: own.length };
    return parts;
  }

  #withoutMarks(line: string): string {
    if (line.endsWith('"') && !line.includes('://')) return line;
    const bare = withoutFields(line.trimEnd()).replace(BEHIND, '"').replace(LINK, '$1$2');
    if (bare.length < line.trimEnd().length) this.skipped.add('marks');
    return bare;
  }

  #withPlainBlanks(line: string): string {
    if (!/\t|" {2}/.test(line)) return line;
    const plain = line.replace(TABS_OF_HEAD, '$1 [$2 ').replace(BLANKS, ' ');
    if (plain !== line) this.skipped.add('typography');
    return plain;
  }

  /** Completes the newest line: no other line continues it. */
  #close(): MonitorPart[] {
    const open = this.#open;
    this.#open = undefined;
    return open ? [{ line: open.line.trimEnd(), number: open.number, width: open.parts > 1 ? 0 : open.width }] : [];
  }

  #addOther(line: string): MonitorPart[] {
    const file = HEADING.exec(line)?.[1];
    if (file !== undefined) return this.#beginFile(file);
    if (this.#open?.isDivided && this.#addDivided(this.#open, line)) return [];
    if (!TRACE.test(line) && this.#fields.isOther(line)) return [];
    const own = this.#ownPart(line);
    if (NOTHING.test(own) || MARKUP.test(own) || (own === 'OK' && !this.isBegun)) return [];
    if (isLoneTime(own)) {
      this.skipped.lines++;
      return [];
    }
    const source = sourceIn(line) ?? sourceInJson(line);
    if (source !== null && this.#source !== null && source !== this.#source) {
      this.skipped.lines++;
      return [];
    }
    if (this.#open && this.#addFolded(this.#open, own)) return [];
    if (this.#open && !this.#open.isQuoted && beginsWithQuote(own)) return this.#loseOpen(this.#open.number);
    const parts = this.#close();
    if (this.isBegun && (CUT_HEAD.test(own) || TRACE.test(line)))
      return [...parts, { lost: { first: [this.#number], count: 1 } }];
    this.#between.count++;
    if (this.#between.first.length < MOST_NUMBERS) this.#between.first.push(this.#number);
    return parts;
  }

  /** The newest line continues in this one, but it is not certain how: words would be missing. */
  #loseOpen(number: number): MonitorPart[] {
    this.#open = undefined;
    return [{ lost: { first: [number, this.#number], count: 2 } }];
  }

  /** The lines that follow belong to this file. */
  #beginFile(file: string): MonitorPart[] {
    const parts = this.#close();
    const before = this.#file;
    this.#file = file;
    return this.isBegun && before !== null && before !== file ? [...parts, { sources: [before, file] }] : parts;
  }

  /** The line without the prefix that the newest line of MONITOR had. */
  #ownPart(line: string): string {
    if (this.#prefix === '') return line;
    return line.slice(new RegExp(formOf(this.#prefix)).exec(line)?.[0].length ?? 0);
  }

  #addDivided(open: Open, line: string): boolean {
    const rest = dividedRest(line);
    if (!rest || open.parts >= MOST_PARTS) return false;
    open.line += rest.text;
    open.parts++;
    open.isDivided = rest.isDivided;
    return true;
  }

  #addFolded(open: Open, rest: string): boolean {
    if (open.parts >= MOST_PARTS || !isRestOfFold(open.line, open.lastLength, rest)) return false;
    open.line = `${open.line.trimEnd()} ${rest.trim()}`;
    open.parts++;
    open.lastLength = rest.length;
    this.skipped.add('folds');
    return true;
  }
}

function withoutFields(line: string): string {
  if (!/[\]}]$/.test(line)) return line;
  const from = Math.max(0, line.length - LONGEST_BEHIND);
  return line.slice(0, from) + line.slice(from).replace(FIELDS_BEHIND, '"');
}
