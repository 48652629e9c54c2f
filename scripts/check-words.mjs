/**
 * Finds words in comments, test names, identifiers and documents that `docs/language.md` replaces. `left.json` has the number that
 * each folder had before the guide: more is an error. `--list FOLDER` prints them, `--write` updates the numbers.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { namesOf, textsOf } from './words/texts-of.mjs';
import { NAME_TICS, TICS } from './words/tics.mjs';

const LEFT = new URL('./words/left.json', import.meta.url);
const READ = /\.(?:ts|tsx|mjs|md)$/;
/** These files quote the words, or are not rewritten. */
const SKIPPED = /^(?:docs\/(?:language|protocol)\.md|scripts\/words\/|shared\/traces\/)/;

/** Names on the wire, which older clients read, and keys of the page's words. */
const KEPT_NAMES = new Set(['cannotTell', 'CannotTell', 'tellings', 'nobody']);

const files = execFileSync('git', ['ls-files'], { encoding: 'utf8', maxBuffer: 1e8 })
  .split('\n')
  .filter((path) => READ.test(path) && !SKIPPED.test(path) && existsSync(path));
const found = files.flatMap((path) => {
  const content = readFileSync(path, 'utf8');
  return [...ticsOf(path, content), ...nameTicsOf(path, content)];
});
const counts = countBy(found, ({ path }) => folderOf(path));
const [command, folder = ''] = process.argv.slice(2);

if (command === '--list') {
  for (const { path, line, text, instead } of found) {
    if (path.startsWith(folder) || folderOf(path) === folder)
      console.log(`${path}:${line}: ${text.trim()}   → ${instead}`);
  }
} else if (command === '--write') {
  writeFileSync(LEFT, `${JSON.stringify(Object.fromEntries([...counts].sort()), null, 2)}\n`);
} else {
  const left = JSON.parse(readFileSync(LEFT, 'utf8'));
  const over = [...counts].filter(([name, count]) => count > (left[name] ?? 0));
  for (const [name, count] of over) {
    console.error(`${name}: ${count} words that docs/language.md replaces, ${left[name] ?? 0} were there before.`);
    console.error(`  See them: node scripts/check-words.mjs --list ${name}`);
  }
  if (over.length > 0) process.exitCode = 1;
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

/** The first two folders of a path, for example `shared/events`; `.` for files at the root. */
function folderOf(path) {
  const parts = path.split('/').slice(0, -1);
  return parts.length === 0 ? '.' : parts.slice(0, 2).join('/');
}

function countBy(items, keyOf) {
  const counts = new Map();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}
