/**
 * Finds words in comments, test names, identifiers and documents that `docs/language.md` replaces, and prints where
 * they are. Each of them is an error. With the names of folders or files, it looks only there.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { namesOf, textsOf } from './words/texts-of.mjs';
import { NAME_TICS, TICS } from './words/tics.mjs';

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
  return [...ticsOf(path, content), ...nameTicsOf(path, content)];
});
for (const { path, line, text, instead } of found) console.error(`${path}:${line}: ${text.trim()}   → ${instead}`);
if (found.length > 0) {
  console.error(`${found.length} words that docs/language.md replaces. The arrow shows what to write instead.`);
  process.exitCode = 1;
}

function ticsOf(path, content) {
  return textsOf(path, content).flatMap(({ line, text }) =>
    TICS.filter((tic) => (tic.only !== 'code' || !path.endsWith('.md')) && tic.found.test(text)).map(({ instead }) => ({
      path,
      line,
      text,
      instead,
    })),
  );
}

function nameTicsOf(path, content) {
  if (path.endsWith('.md')) return [];
  return namesOf(content).flatMap(({ line, text, words }) => {
    const word = KEPT_NAMES.has(text) ? undefined : words.find((each) => NAME_TICS.has(each));
    return word === undefined ? [] : [{ path, line, text, instead: NAME_TICS.get(word) }];
  });
}
