import { posix } from 'node:path';

const IMPORT = /(?:^|\n)\s*(?:import|export)\b(?!\s+type\b)([^'";]*?\bfrom)?\s*'([^']+)'|\bimport\(\s*'([^']+)'/g;
/** Matches `{ type A, type B } from`: such an import is removed before the program runs. */
const ONLY_TYPES = /^\s*\{(?:\s*type\s+[^,}]+,?)+\s*\}\s*from$/;
/** A file that contains one of these may read other files. Their names are among its strings. */
const READS = /'node:fs|import\.meta\.glob|child_process/;
const TEXT = /'([^'\n]{1,200})'|"([^"\n]{1,200})"|`([^`$\n]{1,200})/g;

/**
 * What a file needs when it runs, as paths from the root: files that it imports, and files and folders that it may read
 * (`reads`: a path may also be the beginning of a name). Imports of types do not count: tsc checks them.
 */
export function dependenciesOf(file, text) {
  const folder = posix.dirname(file);
  const imports = [...text.matchAll(IMPORT)].flatMap(([, names = '', staticTarget, dynamic = '']) => {
    const target = staticTarget ?? dynamic;
    return target.startsWith('.') && !ONLY_TYPES.test(names) ? [posix.join(folder, target)] : [];
  });
  const reads = READS.test(text) ? [...text.matchAll(TEXT)].flatMap(([, ...texts]) => pathOf(folder, texts) ?? []) : [];
  return { imports, reads };
}

/**
 * The path from the root that a text may name; undefined if it cannot be a path, or names the root or a path outside.
 */
function pathOf(folder, texts) {
  const text = texts.find((each) => each !== undefined);
  const isRelative = /^\.\.?\/|^\.\.$/.test(text);
  if (!isRelative && !/^[\w.-]+(?:\/[\w.@-]*)*$/.test(text)) return undefined;
  const path = posix.normalize(isRelative ? posix.join(folder, text) : text).replace(/\/$/, '');
  return path === '.' || path.startsWith('..') ? undefined : path;
}
