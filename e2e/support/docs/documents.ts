import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** A block of code in a document. Its first line is ```` ```LANGUAGE ````, or ```` ```LANGUAGE not run: REASON ````. */
export type Fence = {
  /** Relative to the root. */
  readonly file: string;
  /** The line of the first ```. */
  readonly line: number;
  readonly language: string;
  /** Why a test does not run the block; `undefined`: a test runs it. */
  readonly whyNotRun: string | undefined;
  /** Further text in the first line, which is always an error. */
  readonly rest: string;
  readonly text: string;
};

const NOT_OURS = /^(?:node_modules|target|dist|test-results|\.git)$/;

/** Every file of the repository, relative to its root. */
export function allFiles(folder = ROOT): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return NOT_OURS.test(entry.name) ? [] : allFiles(path);
    return [relative(ROOT, path)];
  });
}

export function allDocuments(): string[] {
  return allFiles().filter((file) => file.endsWith('.md'));
}

/** The documents for people who use Lockscope or work on it. Those in `docs/library` are made from the types. */
export function readersDocuments(): string[] {
  return allDocuments().filter((file) => /^(?:[A-Z]+\.md|docs\/[^/]+\.md|deploy\/.*|examples\/.*)$/.test(file));
}

export function textOf(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** The blocks of code of a document, in order. */
export function fencesOf(file: string, text = textOf(file)): Fence[] {
  return [...text.matchAll(/^ *```(\w*) *(.*)\n([\s\S]*?)^ *```$/gm)].map(
    ({ index, 1: language = '', 2: info = '', 3: code = '' }) => {
      const whyNotRun = /^not run: (.+)$/.exec(info)?.[1];
      const line = text.slice(0, index).split('\n').length;
      return { file, line, language, whyNotRun, rest: whyNotRun === undefined ? info : '', text: code };
    },
  );
}

/**
 * The commands of a block: its lines, without comments. A line that ends with a backslash continues. A `#` begins a
 * comment at the beginning of a line, or after two spaces.
 */
export function commandsOf({ text }: Pick<Fence, 'text'>): string[] {
  return text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.replace(/(?:^| {2,})#.*/, '').trim())
    .filter((line) => line !== '');
}

/** The text outside blocks of code. The line numbers stay the same. */
export function proseOf(file: string): string {
  return textOf(file).replace(/^ *```[\s\S]*?^ *```$/gm, (block) => block.replace(/[^\n]/g, ''));
}

/** The targets of the links to files of the repository, with anchors. */
export function linksOf(file: string): { path: string; anchor: string | undefined }[] {
  const prose = proseOf(file).replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
    if (/^[a-z]+:/.test(target)) return [];
    const [path = '', anchor] = target.split('#');
    return [{ path: path === '' ? file : join(dirname(file), path), anchor }];
  });
}

/** The anchors of the headings of a document, as GitHub makes them. */
export function anchorsOf(file: string): string[] {
  const seen = new Map<string, number>();
  return [...proseOf(file).matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading = '']) => {
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = plain.replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-');
    const times = seen.get(anchor) ?? 0;
    seen.set(anchor, times + 1);
    return times === 0 ? anchor : `${anchor}-${times}`;
  });
}
