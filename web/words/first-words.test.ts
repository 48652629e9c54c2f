import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { EN_FIRST } from './en-first.ts';
import { EN_LATER } from './en-later.ts';

const WEB = resolve(import.meta.dirname, '..');
const IMPORT = /^(?:import|export) (?!type\b)(?:([^;']*?) from )?'(\.[^']+)'/gm;
/**
 * Parts of the catalogue that a file uses: `{ a, b: c } = useWords()`, `{ a } = words`, `{ a }: Words`, `words.a`,
 * `useWords().a`.
 */
const USE =
  /\{([^{}]*)\}(?:: Words| = (?:(?:useWords|currentWords)\(\)|words;))|(?:(?:useWords|currentWords)\(\)|\bwords)\.(\w+)/g;

/** The file and everything it imports, without what is loaded later. */
function loadedWith(file: string, found = new Map<string, string>()): Map<string, string> {
  if (found.has(file)) return found;
  const text = readFileSync(file, 'utf8');
  found.set(file, text);
  for (const [, names = '', path = ''] of text.matchAll(IMPORT)) {
    const isOnlyTypes = /^\{(\s*type \w+,?)+\s*\}$/.test(names);
    const target = resolve(dirname(file), path);
    if (!isOnlyTypes && /\.tsx?$/.test(path) && existsSync(target)) loadedWith(target, found);
  }
  return found;
}

test('code that every visit loads uses no texts that are loaded later', () => {
  const files = loadedWith(resolve(WEB, 'app/main.tsx'));
  expect(files.size).toBeGreaterThan(100);
  const used = [...files].flatMap(([file, text]) =>
    [...text.matchAll(USE)].flatMap(([, names, name = '']) =>
      (names ?? name).split(',').map((each) => ({ file: relative(WEB, file), part: each.trim().split(':')[0] ?? '' })),
    ),
  );
  expect(used.filter(({ part }) => part in EN_FIRST).length).toBeGreaterThan(50);
  expect(used.filter(({ part }) => part in EN_LATER)).toEqual([]);
});

test('no text is in both the part that every visit loads and the part that is loaded later', () => {
  expect(Object.keys(EN_FIRST).filter((part) => part in EN_LATER)).toEqual([]);
});
