import { dependenciesOf } from './dependencies-of.mjs';

const CODE = /\.(?:tsx?|mjs)$/;
/**
 * Names of unit tests, and of other tests in `e2e`, which `check.mjs` does not run. Tests with one more word do not
 * match: `x.live.test.ts`, `x.deep.test.ts`.
 */
const TEST = /\/[^/.]+\.test\.(?:ts|mjs)$/;
/** Every test depends on these files. */
const CHANGES_ALL_TESTS = new Set(['package-lock.json', 'vitest.config.ts', 'scripts/testing/fixed-clock-and-seed.ts']);

/**
 * The tests among `files` that changed, or that need a file that changed: by imports, directly or not, or by reading
 * it. The nearest are first: those with the fewest files between them and a change. A deleted file counts as changed.
 * `read` returns the text of a file.
 */
export function affectedTests(changed, files, read) {
  const tests = files.filter((file) => TEST.test(file));
  if (changed.some((file) => CHANGES_ALL_TESTS.has(file))) return tests;
  const neededBy = new Map();
  const need = (target, file) => neededBy.set(target, [...(neededBy.get(target) ?? []), file]);
  for (const file of files.filter((each) => CODE.test(each))) {
    const { imports, reads } = dependenciesOf(file, read(file));
    for (const target of imports) need(target, file);
    for (const target of changed.filter((each) => reads.some((path) => isPartOf(each, path)))) need(target, file);
  }
  const affected = new Set(changed);
  // a loop over a Set also reaches what is added meanwhile
  for (const file of affected) for (const user of neededBy.get(file) ?? []) affected.add(user);
  const allTests = new Set(tests);
  return [...affected].filter((file) => allTests.has(file));
}

/** Whether `path`, which some code reads, is `file`, its folder, or the beginning of its path. */
function isPartOf(file, path) {
  return path.includes('/') ? file.startsWith(path) : file === path || file.startsWith(`${path}/`);
}
