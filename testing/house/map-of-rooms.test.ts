import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { MAY_IMPORT } from './import-rules.ts';

/* The map in CONTRIBUTING.md, the table of imports and the folders agree. */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** A folder may have this many files, not counting tests: among more, a reader does not find a file at a glance. */
const MOST_FILES = 25;
/** Places whose every folder is a room with a row of its own. */
const PLACES = ['server/redis', 'server/watch', 'server/http', 'shared/events', 'testing'];
/** Test code, which may import everything on its side; and the routes, which are the top of their place. */
const WITHOUT_ROW = new Set(['server/redis/testing', 'server/watch/testing', 'server/http/routes', 'testing/oracle']);

/** The paths in the tree of CONTRIBUTING.md: two levels, by their indentation. */
function pathsInMap(): string[] {
  const text = readFileSync(`${ROOT}CONTRIBUTING.md`, 'utf8');
  const [, tree = ''] = text.split('## The tree');
  const [map = ''] = tree.split('\n## ');
  let above = '';
  return map.split('\n').flatMap((line) => {
    const [, indent = '', names = ''] = /^ {4}( *)((?:[\w.-]+\/? )*[\w.-]+\/?)(?: |$)/.exec(line) ?? [];
    const paths = names.split(' ').filter((name) => name.endsWith('/') || /\.\w+$/.test(name));
    if (indent === '') above = paths[0] ?? above;
    return indent === '' ? paths : paths.map((path) => above + path);
  });
}

function foldersIn(folder: string): string[] {
  return readdirSync(ROOT + folder).filter((name) => statSync(`${ROOT}${folder}/${name}`).isDirectory());
}

test('every path in the map in CONTRIBUTING.md exists', () => {
  const paths = pathsInMap();
  expect(paths.length).toBeGreaterThan(40);
  expect(paths.filter((path) => !existsSync(ROOT + path))).toEqual([]);
});

test.each(['shared', 'server', 'testing'])('every folder of %s is in the map in CONTRIBUTING.md', (place) => {
  const inMap = new Set(pathsInMap());
  const folders = foldersIn(place).filter((name) => name !== 'testing');
  expect(folders.filter((name) => !inMap.has(`${place}/${name}/`))).toEqual([]);
});

test('every row of the table of imports has a folder that exists', () => {
  expect(Object.keys(MAY_IMPORT).filter((path) => !existsSync(ROOT + path))).toEqual([]);
});

test.each(PLACES)('every room of %s has a row in the table of imports', (place) => {
  const rooms = foldersIn(place).map((name) => `${place}/${name}`);
  expect(rooms.filter((room) => !Object.hasOwn(MAY_IMPORT, room) && !WITHOUT_ROW.has(room))).toEqual([]);
});

test('no folder has more than 25 files, not counting tests', () => {
  const large = ['shared', 'testing', 'server', 'library', 'web', 'e2e', 'bench'].flatMap((top) => tooLargeIn(top));
  expect(large).toEqual([]);
});

function tooLargeIn(folder: string): string[] {
  if (/(^|\/)(traces|recorded|target|node_modules|public)$/.test(folder)) return [];
  const files = readdirSync(ROOT + folder, { withFileTypes: true });
  const counted = files.filter(
    (file) => file.isFile() && /\.(tsx?|css)$/.test(file.name) && !/\.(test|spec)\./.test(file.name),
  );
  const below = files.filter((file) => file.isDirectory()).flatMap(({ name }) => tooLargeIn(`${folder}/${name}`));
  return counted.length > MOST_FILES ? [`${folder}: ${counted.length}`, ...below] : below;
}
