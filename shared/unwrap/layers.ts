import { cellsIn, columnsOfTable } from './cells.ts';
import { decoded, literalsIn } from './literals.ts';
import type { Wrapping } from './skipped.ts';

/** A form in which programs pass texts on. */
type Layer = {
  readonly name: Wrapping;
  /** The texts that may be inside this form. Empty if the text does not have the form. */
  open(text: string): Iterable<string>;
};

/** The number of fields or columns of one text that are tried. */
const MOST_FIELDS = 40;

/** The forms, the most certain first. Most are recognised by how they write quotes. */
export const LAYERS: readonly Layer[] = [
  { name: 'csv', open: (text) => (text.includes('"') ? columnsOf(text) : []) },
  { name: 'json', open: (text) => (text.includes('"') ? fieldsOf(text) : []) },
  { name: 'escapes', open: (text) => (text.includes('\\"') ? [withoutEscapes(text)] : []) },
  { name: 'html', open: (text) => (HTML.test(text) ? [withoutHtml(text)] : []) },
  { name: 'typography', open: (text) => (TYPOGRAPHY.test(text) ? [withPlainQuotes(text)] : []) },
  { name: 'escapes', open: (text) => (MARKDOWN.test(text) ? [text.replace(/\\([!-/:-@[-`{-~])/g, '$1')] : []) },
  { name: 'escapes', open: (text) => (isOneLine(text) ? [withoutEscapes(text)] : []) },
  { name: 'escapes', open: (text) => (text.includes('#012') ? [withoutOctals(text)] : []) },
  { name: 'colours', open: (text) => (COLOUR.test(text) ? [text.replace(COLOURS, '')] : []) },
];

/** Quotes of a web page, or parts of lines in colours: `<span class="s2">&quot;GET&quot;</span>`. */
const HTML = /&(?:amp;)?(?:quot|#34|#x22|lt|[lrb]d?a?quo);|<span[ >]/i;

/** Colours whose first character is written as text: `\x1b[36m`, `\033[0m`, `ESC[36m`. */
const COLOUR = /(?:\\(?:x1b|033|e)|ESC|\u241b)\[[\d;]{0,20}[mK]/;
const COLOURS = new RegExp(COLOUR, 'g');

/** Controls as `rsyslog` writes them: `#012` is the end of a line, `#011` a tab. */
function withoutOctals(text: string): string {
  return text.replaceAll('#012', '\n').replaceAll('#011', '\t');
}

/** Marks of Markdown that are escaped: `\[0 lua\]`, `"worker-1" \#31`. */
const MARKDOWN = /[\d"] \\[[#]\d/;

function withoutEscapes(text: string): string {
  return decoded(text.replaceAll('\n', '\\n'));
}

/** Ends of lines are written as `\n` in a text without any. */
function isOneLine(text: string): boolean {
  return text.includes('\\n') && !text.trim().includes('\n');
}

/** Loki puts a number before each text. A recording of a terminal puts an `o` before it. */
const BEFORE_TEXT = /^(?:\d{16,20}|o)$/;

/**
 * For each field, its values joined to one text; the longest text first. There is a line end between two values, unless
 * values have line ends themselves, as those of Docker do.
 */
function fieldsOf(text: string): string[] {
  const fields = new Map<string, string[]>();
  for (const { key, value } of literalsIn(text)) if (!BEFORE_TEXT.test(value)) add(fields, key ?? '', value);
  const isJoined = (values: readonly string[]) =>
    TERMINAL_RECORDING.test(text) || values.some((value) => value.endsWith('\n'));
  return longestFirst([...fields.values()].map((values) => values.join(isJoined(values) ? '' : '\n')));
}

/** The first line of a recording of a terminal, whose texts end anywhere. */
const TERMINAL_RECORDING = /^\s{0,9}\{"version":\s?[23],/;

/** The longest first: a shorter field or column may hold only the beginning of the same text. */
function longestFirst(texts: string[]): string[] {
  return texts.sort((a, b) => b.length - a.length);
}

function columnsOf(text: string): string[] {
  const table = columnsOfTable(text);
  if (table.length > 0) return longestFirst(table.slice(0, MOST_FIELDS).map((values) => values.join('\n')));
  const columns = new Map<number, string[]>();
  for (const { column, value } of cellsIn(text)) add(columns, column, value);
  return longestFirst([...columns.values()].map((values) => values.join('\n')));
}

function add<K>(to: Map<K, string[]>, key: K, value: string): void {
  const values = to.get(key);
  if (values) values.push(value);
  else if (to.size < MOST_FIELDS) to.set(key, [value]);
}

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ quot: '"', lt: '<', gt: '>', amp: '&', apos: "'", nbsp: ' ' },
  ...{ ldquo: '\u201c', rdquo: '\u201d', bdquo: '\u201e', laquo: '\u00ab', raquo: '\u00bb' },
};

/** A text of a web page, or of XML by PowerShell (`_x0009_`). What is not escaped in it is markup. */
export function withoutHtml(text: string): string {
  const lines = text.replace(/<br\s{0,5}\/?>|<\/(?:div|p|tr|li)>/gi, '\n');
  return lines
    .replace(/<\/?[a-z][^<>\n]{0,300}>/gi, '')
    .replace(/_x000([9ad])_/gi, (_, code: string) => (code === '9' ? '\t' : ''))
    .replace(/&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|([a-z]{2,5}));/gi, (whole, decimal, hex, name: string | undefined) => {
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole;
      return String.fromCodePoint(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal));
    });
}

/** Quotes, blanks and marks that text programs, chats and web pages put in. */
const TYPOGRAPHY = /[\u201c\u201d\u201e\u201f\u00ab\u00bb\uff02\u00a0\u2000-\u200b\u202f\u2060\u3000\ufeff]/;

function withPlainQuotes(text: string): string {
  return withoutGuillemets(text)
    .replace(/[\u201c\u201d\u201e\u201f\u00ab\u00bb\uff02]/g, '"')
    .replace(/[\u00a0\u2000-\u200a\u202f\u3000]/g, ' ')
    .replace(/[\u200b\u2060\ufeff]/g, '');
}

/**
 * Between French quotes, `« GET »`, are blanks that do not belong to the word. Other languages turn these quotes
 * around.
 */
export function withoutGuillemets(text: string): string {
  if (text[text.search(/[\u00ab\u00bb]/)] !== '\u00ab') return text;
  return text.replace(/\u00ab[ \u00a0\u202f]?([^\u00ab\u00bb\n]*?)[ \u00a0\u202f]?\u00bb/g, '"$1"');
}
