import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';

const NOT_OURS = /(?:^|\/)(?:node_modules|dist|target|\.git)(?:\/|$)/;
const FOLDERS = readdirSync('.', { withFileTypes: true }).filter(
  (each) => each.isDirectory() && !NOT_OURS.test(each.name),
);
const PATHS = [
  ...readdirSync('.'),
  ...FOLDERS.flatMap(({ name }) => readdirSync(name, { recursive: true }).map((path) => join(name, String(path)))),
].filter((path) => !NOT_OURS.test(path));
const NAMES = new Set(PATHS.map((path) => basename(path)));
const FILE = /`([\w./-]+\.(?:ts|tsx|mjs))`/g;
const FOLDER = /`((?:shared|server|web|e2e|testing|library|bench|scripts)\/[\w./-]*\/)`/g;
/** Names of files that the reader of a document creates. */
const EXAMPLE = /THEME|AREA|^x\./;

test.each(PATHS.filter((path) => path.endsWith('.md')))('every file and folder that %s names exists', (path) => {
  const text = readFileSync(path, 'utf8');
  const files = [...text.matchAll(FILE)].map(([, name = '']) => basename(name));
  const folders = [...text.matchAll(FOLDER)].map(([, name = '']) => name);
  expect(files.filter((name) => !NAMES.has(name) && !EXAMPLE.test(name))).toEqual([]);
  expect(folders.filter((name) => !existsSync(name) && !/[A-Z]{3}/.test(name))).toEqual([]);
});
