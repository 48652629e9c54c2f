/**
 * Finds words in comments, test names, identifiers and documents that `docs/language.md` replaces, and prints where
 * they are. Each of them is an error. With the names of folders or files, it looks only there.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { REPLACED_NAMES, REPLACED_TEXTS } from './words/replaced-words.mjs';
import { namesOf, textsOf } from './words/texts-of.mjs';

const READ = /\.(?:ts|tsx|mjs|md)$/;
/** Files that quote the words, or that are not rewritten. */
const SKIPPED = /^(?:docs\/(?:language|protocol)\.md|scripts\/words\/|shared\/traces\/)/;

/** Names on the wire, which older clients read, and keys of the page's words. */
const KEPT_NAMES = new Set(['cannotTell', 'CannotTell', 'tellings', 'nobody']);

const files = execFileSync('git', ['ls-files', ...process.argv.slice(2)], { encoding: 'utf8', maxBuffer: 1e8 })
  .split('\n')
  .filter((path) => READ.test(path) && !SKIPPED.test(path) && existsSync(path));
const found = files.flatMap((path) => {
  const content = readFileSync(path, 'utf8');
  return [...replacedTextsIn(path, content), ...replacedNamesIn(path, content)];
});
for (const { path, line, text, instead } of found) console.error(`${path}:${line}: ${text.trim()}   → ${instead}`);
if (found.length > 0) {
  console.error(`${found.length} words that docs/language.md replaces. The arrow shows what to write instead.`);
  process.exitCode = 1;
}

function replacedTextsIn(path, content) {
  return textsOf(path, content).flatMap(({ line, text }) =>
    REPLACED_TEXTS.filter(
      (replaced) => (replaced.only !== 'code' || !path.endsWith('.md')) && replaced.found.test(text),
    ).map(({ instead }) => ({
      path,
      line,
      text,
      instead,
    })),
  );
}

function replacedNamesIn(path, content) {
  if (path.endsWith('.md')) return [];
  return namesOf(content).flatMap(({ line, text, words }) => {
    const word = KEPT_NAMES.has(text) ? undefined : words.find((each) => REPLACED_NAMES.has(each));
    return word === undefined ? [] : [{ path, line, text, instead: REPLACED_NAMES.get(word) }];
  });
}
