/**
 * The text that a container, a log or a mail program puts in front of each line. It is learned from lines whose own beginning
 * is known; numbers in it may differ from line to line.
 *
 *   redis-1  | 2026-11-18T10:26:44.120Z "worker-1" #31 prio=5 …
 *   redis-1  | 2026-11-18T10:26:44.121Z    java.lang.Thread.State: BLOCKED
 */

/** Different forms of a text in front that are learned. Forms of fewer lines than this part are accidents. */
const MOST_FORMS = 60;
const SMALLEST_PART = 1 / 10;
const LONGEST = 400;

/** Removes the text in front of lines. */
type WithoutPrefix = {
  /** One of the usual texts in front; empty: lines have none. */
  readonly example: string;
  /** No line has a text in front. */
  readonly isBare: boolean;
  /** The line without it; null: it has another text in front, so it belongs to something else. */
  strip(line: string): string | null;
};

/** Learns the texts in front of lines from the place where some lines begin (`startOf`; -1: not known). */
export function learnPrefix(lines: Iterable<string>, startOf: (line: string) => number): WithoutPrefix | undefined {
  const forms = new Map<string, { count: number; readonly example: string }>();
  let source: string | null = null;
  let learned = 0;
  for (const line of lines) {
    const start = startOf(line);
    if (start < 0 || start > LONGEST) continue;
    const example = line.slice(0, start);
    source = processIn(example) ?? source;
    learned++;
    const form = formOf(example);
    const known = forms.get(form);
    if (known) known.count++;
    else if (forms.size < MOST_FORMS) forms.set(form, { count: 1, example });
  }
  if (learned === 0) return undefined;
  const usual = [...forms].filter(([, { count }]) => count >= learned * SMALLEST_PART);
  const tests = usual.sort(([one], [other]) => other.length - one.length).map(([form]) => new RegExp(form));
  const strip = (line: string): string | null => {
    for (const test of tests) {
      const found = test.exec(line)?.[0];
      if (found === undefined) continue;
      // several sources in one text: the last one that shows itself is used
      return source !== null && (processIn(found) ?? source) !== source ? null : line.slice(found.length);
    }
    return null;
  };
  const isBare = source === null && forms.size === 1 && forms.has('^');
  return { isBare, example: usual.find(([, { example }]) => example !== '')?.[1].example ?? '', strip };
}

/** A regular expression for texts in front that differ in numbers only. Of an empty line, blanks at the end are often cut off. */
export function formOf(prefix: string): string {
  const [, mark, file, number] = OF_GREP.exec(prefix) ?? [];
  if (file !== undefined || number !== undefined) {
    const parts = [mark && '[> ] ', file && `${literal(file)}[:-]`, number && '\\d+[:-]'];
    return `^${parts.map((part) => part ?? '').join('')}`;
  }
  const body = prefix.trimEnd();
  const rest = prefix.slice(body.length);
  const parts = body.split(/(\d+(?:[.,]\d+)?|\s+)/).map((part) => {
    if (/^\d/.test(part)) return '\\d+(?:[.,]\\d+)?';
    return /^\s/.test(part) ? '\\s+' : literal(part);
  });
  return `^${parts.join('')}${rest === '' ? '' : `(?:${rest.replaceAll('\t', '\\t')}|(?=\\s*$))`}`;
}

/** `dump.txt:31:` of a line that grep found; of the lines around it `dump.txt-32-`. PowerShell marks it as `> dump.txt:31:`. */
const OF_GREP = /^(> )?(?:([\w./-]{1,200}\.[a-z]\w{0,8}):)?(\d{1,9}:)?$/;

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** A name that a tool for several servers puts in front: `redis-0 redis `, `[redis-0] `, `node-1: `, `10.0.0.5:6379> `, `(6379) `. */
const NAME = String.raw`(?!(?:thread|pool|trace|debug|info|notice|warn|warning|error|stdout|stderr)\b)[a-z][\w.-]{0,100}|\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?|\d{4,5}`;
const NAMED = [
  new RegExp(`^(?:\\d{4}-\\S{1,40} )?[[(](${NAME})[\\])]\\s`),
  new RegExp(`^(?:\\d{4}-\\S{1,40} )?(${NAME})[:>]?\\s+(?:[a-z][\\w.-]{0,60} )?(?:\\| )?(?:\\d{4}-\\S{1,40} )?$`),
];

/** What names one of several sources: a container, a pod, a process of a host, labels, a file. */
const SOURCES = [
  /^\s{0,9}([\w./-]{1,100}) {1,40}\| /,
  /(?:^|\s)(\[[a-z]{1,12}\/[\w./-]{1,200}\])\s/,
  /(?:^|\s)([\w.-]{1,100} [\w./-]{1,60})\[\d{1,10}\]: /,
  /(\{[a-z]\w{0,60}="[^{}]{1,300}\})/,
  /^([\w./-]{1,200}\.[a-z]\w{0,8}):(?:\d{1,9}:)?/,
  /(?:^|\s)([\w.-]{1,60}\[[a-z]\w{0,30}\.\d{1,4}\]): /,
];

/** The name of the source in the text in front of a line; null: it has none. */
export function sourceIn(prefix: string): string | null {
  return firstOf(SOURCES, prefix);
}

/** The name in the text in front of a line that may be of a source: it is one if another one follows, and then this one again. */
export function nameIn(prefix: string): string | null {
  return firstOf(NAMED, prefix);
}

function firstOf(forms: readonly RegExp[], prefix: string): string | null {
  for (const form of forms) {
    const name = form.exec(prefix)?.[1];
    if (name !== undefined) return name;
  }
  return null;
}

/** The source together with the number of its process: a host may have several JVMs of one name. */
function processIn(prefix: string): string | null {
  const source = sourceIn(prefix) ?? nameIn(prefix);
  return source === null ? null : source + (/\[\d{1,10}\]: $/.exec(prefix)?.[0] ?? '');
}

const NAMES =
  /"(?:pod_name|pod|container_name|logStreamName|logStream|log_stream|instance)"\s{0,5}:\s{0,5}"([^"\\]{1,200})"/;

/** The name of the source in a line of JSON; null: it has none. */
export function sourceInJson(line: string): string | null {
  return NAMES.exec(line)?.[1] ?? null;
}

const NAMES_OF_HOSTS = /"(?:host|hostname|node|server|source|addr|address)"\s{0,5}:\s{0,5}"([^"\\]{1,200})"/;
const CELL = new RegExp(`^"?(${NAME})"?$`);

/** The same for the fields around a line, in JSON or in a table. */
export function nameInFields(line: string): string | null {
  const host = NAMES_OF_HOSTS.exec(line)?.[1];
  if (host !== undefined) return host;
  const cells = line.slice(0, 400).split(/[,;\t]/, 9);
  return cells.map((cell) => CELL.exec(cell)?.[1]).find((name) => name !== undefined) ?? null;
}
