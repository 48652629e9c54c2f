import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import config from '../../playwright.config.ts';
import { ROOT } from '../set-up/run-command.mjs';
import { STAGES } from './stages.mjs';

const TEST_FILE = /\.(?:test|spec)\.(?:ts|tsx|mjs)$/;

test('every test file belongs to exactly one stage', () => {
  const files = git('ls-files', '--cached', '--others', '--exclude-standard')
    .filter((file) => TEST_FILE.test(file) && existsSync(join(ROOT, file)))
    .sort();
  expect(files.length).toBeGreaterThan(500);
  const run = [...filesOfVitest(), ...filesOfPlaywright()].sort();
  expect(run).toEqual(files);
});

test('Vitest finds at least one file for each of its stages, and no two stages have the same id', () => {
  const projects = new Set(listed().map(({ projectName }) => projectName.replace(/:alone$/, '')));
  const without = STAGES.filter(({ files }) => files?.some((glob) => glob.includes('.test.'))).filter(
    ({ id }) => !projects.has(id),
  );
  expect(without.map(({ id }) => id)).toEqual([]);
  expect(new Set(STAGES.map(({ id }) => id)).size).toBe(STAGES.length);
});

test('every file that is listed to run alone exists', () => {
  const alone = STAGES.flatMap(({ alone: globs = [] }) => globs);
  expect(alone.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});

let listing;

/** What Vitest itself would run: each file with its project. */
function listed() {
  const command = ['node_modules/vitest/vitest.mjs', 'list', '--filesOnly', '--json'];
  listing ??= JSON.parse(execFileSync(process.execPath, command, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e8 }));
  return listing;
}

function filesOfVitest() {
  return listed().map(({ file }) => relative(ROOT, file));
}

/** The files of the two projects that run every scenario once. The files of the other two projects are among them. */
function filesOfPlaywright() {
  const page = config.projects.find(({ name }) => name === 'page');
  const deep = config.projects.find(({ name }) => name === 'page-deep');
  const all = git('ls-files', '--cached', '--others', '--exclude-standard', config.testDir).filter((file) =>
    /\.spec\.ts$/.test(file),
  );
  return [...all.filter((file) => !page.testIgnore.test(file)), ...all.filter((file) => deep.testMatch.test(file))];
}

function git(...words) {
  return execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e8 }).trim().split('\n');
}
