/**
 * What texts have around them. `prefix`: a text in front of each line. `folds`: lines broken by a mail program. `mail`:
 * quoted-printable, base64, or the same text as HTML. `marks`: what is after lines, or around an address.
 * `newest-first`, `captures`: what was in another order.
 */
export const WRAPPINGS = [
  ...([
    'utf-16',
    'windows-1252',
    'colours',
    'json',
    'csv',
    'html',
    'escapes',
    'typography',
    'prefix',
    'folds',
    'mail',
    'marks',
    'newest-first',
    'captures',
  ] as const),
] as const;
export type Wrapping = (typeof WRAPPINGS)[number];

/** What was skipped to read a text. */
export type Skipped = {
  /** In the order of `WRAPPINGS`, each once. */
  readonly around: readonly Wrapping[];
  /** The first prefix of a line that was found, shortened to 60 characters; empty: no line has one. */
  readonly prefix: string;
  /** The number of lines that do not belong to the text: before it, after it and within it. */
  readonly lines: number;
};

const MOST_PREFIX = 60;

/** Collects what was skipped while a text is read. */
export class SkippedParts {
  #around = new Set<Wrapping>();
  #prefix = '';
  lines = 0;

  add(...wrappings: readonly Wrapping[]): void {
    for (const wrapping of wrappings) this.#around.add(wrapping);
  }

  addPrefix(prefix: string): void {
    if (prefix === '') return;
    this.add('prefix');
    if (this.#prefix === '') this.#prefix = prefix.length > MOST_PREFIX ? `${prefix.slice(0, MOST_PREFIX)}…` : prefix;
  }

  /** Null: nothing was skipped. */
  result(): Skipped | null {
    if (this.#around.size === 0 && this.lines === 0) return null;
    return { around: WRAPPINGS.filter((each) => this.#around.has(each)), prefix: this.#prefix, lines: this.lines };
  }
}
