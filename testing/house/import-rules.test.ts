import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { isTest, MAY_IMPORT, problemOf } from './import-rules.ts';
import { circleIn, codeOf, importsOf, sourceFiles } from './imports-of.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FILES = ['shared', 'testing', 'server', 'library', 'web', 'e2e', 'bench'].flatMap((folder) =>
  sourceFiles(ROOT, folder),
);

const IMPURE = [
  /\bDate\.now\b/,
  /\bnew Date\(\)/,
  /\bperformance\./,
  /\bMath\.random\b/,
  /\brandomUUID\b/,
  /\b(setTimeout|setInterval|setImmediate|queueMicrotask|requestAnimationFrame)\b/,
  /\bprocess\.[a-z]/,
  /\bconsole\./,
];

test('every import is allowed by the table', () => {
  const imports = FILES.flatMap((file) => importsOf(file, readFileSync(join(ROOT, file), 'utf8')));
  expect(imports.length).toBeGreaterThan(500);
  const [first] = imports.flatMap((each) => problemOf(each) ?? []);
  expect(first).toBeUndefined();
});

test('every room of the page has its own row in the table of imports', () => {
  const files = FILES.filter((file) => file.startsWith('web/') && !file.startsWith('web/words/') && !isTest(file));
  const rooms = new Set(files.map((file) => posix.dirname(file)));
  expect(rooms.size).toBeGreaterThan(30);
  expect([...rooms].filter((room) => !(room in MAY_IMPORT))).toEqual([]);
});

test.each(['shared/', 'server/', 'library/', 'web/'])('no files of %s import each other in a circle', (side) => {
  const importsIn = new Map<string, string[]>();
  for (const file of FILES.filter((each) => each.startsWith(side) && !isTest(each))) {
    const imports = importsOf(file, readFileSync(join(ROOT, file), 'utf8'));
    importsIn.set(
      file,
      imports.filter(({ isOurs }) => isOurs).map(({ to }) => to),
    );
  }
  expect(importsIn.size).toBeGreaterThan(5);
  expect(circleIn(importsIn)).toBeUndefined();
});

test('no rooms of the page import each other in a circle', () => {
  const importsIn = new Map<string, Set<string>>();
  // `web/words` is left out: the words of a language import types from the room around them, which imports them
  for (const file of FILES.filter(
    (each) => each.startsWith('web/') && !each.startsWith('web/words/') && !isTest(each),
  )) {
    const room = posix.dirname(file);
    const rooms = importsIn.get(room) ?? new Set();
    importsIn.set(room, rooms);
    for (const { to, isOurs } of importsOf(file, readFileSync(join(ROOT, file), 'utf8'))) {
      const other = posix.dirname(to);
      if (isOurs && to.startsWith('web/') && other !== room) rooms.add(other);
    }
  }
  expect(importsIn.size).toBeGreaterThan(30);
  expect(circleIn(new Map([...importsIn].map(([room, others]) => [room, [...others]])))).toBeUndefined();
});

test('a circle of imports is found', () => {
  const imports = { 'a.ts': ['b.ts'], 'b.ts': ['c.ts'], 'c.ts': ['b.ts'] };
  expect(circleIn(new Map(Object.entries(imports)))).toBe('b.ts → c.ts → b.ts');
});

test('shared/ has no clock, no randomness and no I/O', () => {
  const pure = FILES.filter((file) => file.startsWith('shared/') && !isTest(file));
  const [first] = pure.flatMap((file) => {
    const code = codeOf(ROOT, file);
    return IMPURE.flatMap((pattern) => pattern.exec(code)?.[0] ?? []).map((found) => `${file} uses ${found}`);
  });
  expect(first).toBeUndefined();
});

describe('the table refuses', () => {
  test.each([
    ['signals that import events', 'shared/signals/signal.ts', '../events/event.ts'],
    ['watching that imports the HTTP server', 'server/watch/source/pipeline.ts', '../../http/app.ts'],
    ['watching that imports the demo', 'server/watch/source/pipeline.ts', '../../demo/stage.ts'],
    ['a server that imports the web page', 'server/main.ts', '../web/app/App.tsx'],
    ['a page that imports the server', 'web/app/App.tsx', '../../server/serve.ts'],
    ['a page that runs a detector', 'web/parts/Person.tsx', '../../shared/insights/run.ts'],
    ['a page that parses Redis text', 'web/data/queries/queries.ts', '../../../shared/signals/monitor-line.ts'],
    ['a dialog that imports lock events', 'web/ui/Modal.tsx', '../../shared/events/event.ts'],
    ['a view that imports the app frame', 'web/timeline/view/Plot.tsx', '../../app/Frame.tsx'],
    ['a view that imports the stage', 'web/parts/Person.tsx', '../stage/script/run.ts'],
    ['a layout that imports the store', 'web/timeline/layout/rows.ts', '../store/timeline-store.ts'],
    ['a shape that imports the store', 'web/timeline/draw/layers/draw-group.ts', '../../store/timeline-store.ts'],
    ['a moment of the stage that imports its caption', 'web/stage/script/moment.ts', '../captions/caption.ts'],
    ['a window of events that asks for lists', 'web/data/window/event-window.ts', '../queries/queries.ts'],
    ['a part of all pages that imports the page of a lock', 'web/parts/Person.tsx', '../lock/LockDetails.tsx'],
    ['a scenario that imports product internals', 'e2e/scenarios/x.spec.ts', '../../server/serve.ts'],
    ['support of tests that imports a test', 'e2e/support/simulation/faults.ts', '../../chaos/run-chaos.ts'],
    ['a product that imports its tests', 'server/main.ts', './testing/test-app.ts'],
    ['a second Redis client', 'server/watch/source/pipeline.ts', 'ioredis'],
    ['a second socket', 'server/demo/stage.ts', 'node:net'],
    ['a second web server', 'server/socket/hub.ts', 'express'],
    ['a file read in shared', 'shared/state/reduce.ts', 'node:fs'],
    [
      'an account that imports the recognition of scripts',
      'testing/oracle/holds.ts',
      '../../shared/events/recognise/fair-lock.ts',
    ],
    ['a folder that is not in the table', 'server2/main.ts', './x.ts'],
  ])('%s', (_what, from, target) => {
    const [found] = importsOf(from, `import { x } from '${target}';\n`);
    expect(found && problemOf(found)).toBeDefined();
    // a target that does not exist would be refused for another reason
    if (found?.isOurs && !from.startsWith('server2')) expect(FILES).toContain(found.to);
  });
});

test('imports in each form are found in single quotes, and not in double quotes', () => {
  const text = [
    "import { a } from './a.ts';",
    'import {\n  b,\n  type C,\n} from "./not-this.ts";',
    "import type { D } from '../d.ts';",
    "export { e } from './e.ts';",
    "import './f.css';",
    "const g = await import('pack/deep');",
    "import h from '@scope/name/deep';",
  ].join('\n');
  const targets = importsOf('server/x.ts', text).map(({ to }) => to);
  expect(targets).toEqual(['server/a.ts', 'd.ts', 'server/e.ts', 'server/f.css', 'pack', '@scope/name']);
});
