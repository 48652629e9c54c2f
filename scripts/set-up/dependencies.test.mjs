import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { areInstalled } from './dependencies.mjs';
import { ROOT } from './run-command.mjs';

const NEEDED = { '': {}, 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '2.0.0' } };
const OTHER_PLATFORM = { 'node_modules/c': { version: '3.0.0', optional: true } };
let root;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lockscope-dependencies-'));
  mkdirSync(join(root, 'node_modules'));
  write('package-lock.json', { ...NEEDED, ...OTHER_PLATFORM });
});

afterEach(() => rmSync(root, { recursive: true }));

function write(file, packages) {
  writeFileSync(join(root, file), JSON.stringify({ packages }));
}

test('in a fresh checkout, the packages count as missing', () => {
  expect(areInstalled(root)).toBe(false);
});

test('packages for other platforms may be absent', () => {
  write('node_modules/.package-lock.json', NEEDED);
  expect(areInstalled(root)).toBe(true);
});

test('a package in another version counts as missing', () => {
  write('node_modules/.package-lock.json', { ...NEEDED, 'node_modules/b': { version: '2.0.1' } });
  expect(areInstalled(root)).toBe(false);
});

const LOCK_FILES = ['package-lock.json', 'e2e/other/node/package-lock.json'];

test.each(LOCK_FILES)('%s lists every package for every platform, without the URL of a registry', (file) => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
  const named = new Set(Object.keys(packages).map((path) => path.split('node_modules/').at(-1)));
  const optional = Object.values(packages).flatMap((each) => Object.keys(each.optionalDependencies ?? {}));
  expect(optional.filter((name) => !named.has(name))).toEqual([]);
  expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
});
