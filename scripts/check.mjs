import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { affectedTests } from './check/affected-tests.mjs';
import { allFiles, changedFiles } from './check/changed-files.mjs';
import { nearestTests } from './check/nearest-tests.mjs';
import { typeProjectsOf } from './check/type-projects.mjs';
import { ROOT, runCommand, say } from './set-up/run-command.mjs';

/*
 * `npm run check`: types, lint, words, and the unit tests that depend on what changed since the main branch, the nearest
 * first, for about half a minute. `npm run check:all` checks all files, and runs all unit tests.
 */

const LINTED = /\.(?:tsx?|mjs|js|jsonc?|css|html)$/;
/** The tests that run would take at most this long one after the other, in s. Two files run at a time. */
const TEST_SECONDS = 75;
/** The English texts. After a change of one, the texts that have no Chinese yet are listed. */
const TEXTS = /^web\/words\/en\/|^shared\/.*\/english\//;

const { base, files } = changedFiles(ROOT);
const existing = files.filter((file) => existsSync(join(ROOT, file)));
const known = allFiles(ROOT).filter((file) => existsSync(join(ROOT, file)));
const affected = affectedTests(files, known, (file) => readFileSync(join(ROOT, file), 'utf8'));
const seconds = JSON.parse(readFileSync(join(ROOT, 'scripts/testing/seconds.json'), 'utf8'));
const tests = nearestTests(affected, seconds, TEST_SECONDS);
const projects = typeProjectsOf(files);
const linted = existing.filter((file) => LINTED.test(file));
say(`${files.length} files differ from ${base.slice(0, 8)}, ${affected.length} test files depend on them`);

const program = (path, ...words) => [process.execPath, join('node_modules', path), ...words];
const steps = [
  projects.length > 0 && [
    'types',
    program('typescript/bin/tsc', '-b', '--builders', '1', '--checkers', '2', ...projects),
  ],
  linted.length > 0 && [
    'lint and format',
    program('@biomejs/biome/bin/biome', 'check', '--no-errors-on-unmatched', ...linted),
  ],
  files.length > 0 && ['words', [process.execPath, 'scripts/check-words.mjs']],
  files.some((file) => TEXTS.test(file)) && ['translation', [process.execPath, 'scripts/missing-words.mjs']],
  tests.length > 0 && [
    'tests',
    program('vitest/vitest.mjs', 'run', '--project', 'unit', '--passWithNoTests', ...tests),
  ],
];
const took = [];
for (const [title, command] of steps.filter(Boolean)) {
  const start = performance.now();
  const { code } = await runCommand(command);
  if (code !== 0) process.exitCode = 1;
  took.push(`${title} ${((performance.now() - start) / 1000).toFixed(1)} s${code === 0 ? '' : ' FAILED'}`);
}
if (tests.length < affected.length)
  say(`only the ${tests.length} nearest test files ran: npm run check:all and npm test also run the others`);
say(took.join(', ') || 'nothing to check');
