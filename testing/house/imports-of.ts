import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** One import of one file. `to` is one of our files, as a path from the root of the repository, or a package. */
export type Import = { readonly from: string; readonly to: string; readonly isOurs: boolean };

const IMPORT = /(?:^|\n)\s*(?:import|export)\b(?:[^'";]*?\bfrom)?\s*'([^']+)'|\bimport\(\s*'([^']+)'/g;
const SKIPPED = new Set(['node_modules', 'dist', 'target']);

/** Every TypeScript file under a folder, as paths from `root`. */
export function sourceFiles(root: string, folder: string): string[] {
  const files: string[] = [];
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory() && !SKIPPED.has(entry.name)) files.push(...sourceFiles(root, path));
    else if (/\.tsx?$/.test(entry.name)) files.push(path);
  }
  return files;
}

/** The static and dynamic imports of a file. */
export function importsOf(file: string, text: string): Import[] {
  return [...text.matchAll(IMPORT)].map(([, still = '', dynamic = '']) => {
    const target = still || dynamic;
    const isOurs = target.startsWith('.');
    return { from: file, to: isOurs ? posix.join(posix.dirname(file), target) : packageOf(target), isOurs };
  });
}

/** One circle of imports, for example `a.ts → b.ts → a.ts`; `undefined` if the imports have no circle. */
export function circleIn(importsIn: ReadonlyMap<string, readonly string[]>): string | undefined {
  const done = new Set<string>();
  const path: string[] = [];
  function visit(file: string): string | undefined {
    if (done.has(file)) return undefined;
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file].join(' → ');
    path.push(file);
    for (const target of importsIn.get(file) ?? []) {
      const circle = visit(target);
      if (circle !== undefined) return circle;
    }
    path.pop();
    done.add(file);
    return undefined;
  }
  for (const file of importsIn.keys()) {
    const circle = visit(file);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

/** A file's text without its comments. */
export function codeOf(root: string, file: string): string {
  const text = readFileSync(join(root, file), 'utf8');
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`])\/\/.*$/gm, '$1');
}

/** `@scope/name/deep` → `@scope/name`; Node's own modules keep their name. */
function packageOf(target: string): string {
  if (target.startsWith('node:')) return target;
  return target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');
}
