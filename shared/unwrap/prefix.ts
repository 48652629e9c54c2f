import { processIn } from './sources.ts';

/*
 * The text that a container, a log or a mail program puts in front of each line. It is learned from lines whose own
 * beginning is known; numbers in it may differ from line to line.
 *
 *   redis-1  | 2026-11-18T10:26:44.120Z "worker-1" #31 prio=5 …
 *   redis-1  | 2026-11-18T10:26:44.121Z    java.lang.Thread.State: BLOCKED
 */

/**
 * How many different forms of prefixes are learned, at most. If fewer than a tenth (`SMALLEST_PART`) of the lines whose
 * beginning is known have a form, it is treated as chance.
 */
const MOST_FORMS = 60;
const SMALLEST_PART = 1 / 10;
const LONGEST = 400;

/** The prefixes of the lines of a text, as they were learned. */
type LearnedPrefix = {
  /** A usual prefix of lines; empty: lines have no prefix. */
  readonly example: string;
  /** Whether no line whose beginning is known has a text in front of it. */
  readonly isBare: boolean;
  /** The line without its prefix; null: it has no prefix that was learned, so it belongs to another text. */
  strip(line: string): string | null;
};

/**
 * Learns the texts in front of lines from the place where some lines begin (`startOf`; -1: not known). `idOf`: the id
 * in such a line, for example that of a thread. If lines with the same id have different texts in front, several
 * processes wrote them, and only the texts of the last process are removed. Undefined: no line begins at a known place.
 */
export function learnPrefix(
  lines: Iterable<string>,
  startOf: (line: string) => number,
  idOf: (line: string) => string | undefined,
): LearnedPrefix | undefined {
  const ids = new SharedIds();
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
    ids.add(form, idOf(line.slice(start)));
    const known = forms.get(form);
    if (known) known.count++;
    else if (forms.size < MOST_FORMS) forms.set(form, { count: 1, example });
  }
  if (learned === 0) return undefined;
  const all = [...forms].filter(([, { count }]) => count >= learned * SMALLEST_PART);
  const usual = ids.ofLast(all);
  const tests = [...usual].sort(([a], [b]) => b.length - a.length).map(([form]) => new RegExp(form));
  const strip = (line: string): string | null => {
    for (const pattern of tests) {
      const found = pattern.exec(line)?.[0];
      if (found === undefined) continue;
      // if the text has several sources, only the lines of the last one are kept
      return source !== null && (processIn(found) ?? source) !== source ? null : line.slice(found.length);
    }
    return null;
  };
  const isBare = source === null && forms.size === 1 && forms.has('^');
  return { isBare, example: usual.find(([, { example }]) => example !== '')?.[1].example ?? '', strip };
}

/** The ids in lines, with the forms of their prefixes. The same id after several prefixes shows several processes. */
class SharedIds {
  readonly #forms = new Map<string, string>();
  readonly #shared = new Set<string>();
  #last = '';

  add(form: string, id: string | undefined): void {
    this.#last = form;
    if (id === undefined) return;
    const before = this.#forms.get(id);
    if (before !== undefined && before !== form) this.#shared.add(before).add(form);
    this.#forms.set(id, form);
  }

  /** The given forms without those of processes before the last one. */
  ofLast<T>(forms: readonly (readonly [form: string, T])[]): readonly (readonly [form: string, T])[] {
    const shared = forms.filter(([form]) => this.#shared.has(form));
    return shared.length < 2 ? forms : forms.filter(([form]) => form === this.#last || !this.#shared.has(form));
  }
}

/**
 * A regular expression for prefixes that differ in numbers only. Blanks at the end of a prefix may be missing: programs
 * cut them off empty lines.
 */
export function formOf(prefix: string): string {
  const [, mark, file, number] = GREP_PREFIX.exec(prefix) ?? [];
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

/**
 * `dump.txt:31:` of a line that grep found; of the lines around it `dump.txt-32-`. PowerShell marks it as
 * `> dump.txt:31:`.
 */
const GREP_PREFIX = /^(> )?(?:([\w./-]{1,200}\.[a-z]\w{0,8}):)?(\d{1,9}:)?$/;

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
