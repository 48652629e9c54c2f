import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allFiles } from './changed-files.mjs';
import { typeProjectsOf } from './type-projects.mjs';

test.each([
  [['web/words/en/frame/frame.ts', 'README.md'], ['web']],
  [
    ['server/main.ts', 'bench/bench.ts'],
    ['.', 'e2e'],
  ],
  [['e2e/scenarios/letters.spec.ts'], ['e2e']],
  [['shared/base/time.ts'], ['.', 'web', 'e2e']],
  [['tsconfig.json'], ['.', 'web', 'e2e']],
  [['docs/api.md', 'web/styles/base.css'], []],
])('a change of %j checks the types of the projects %j', (files, projects) => {
  expect(typeProjectsOf(files)).toEqual(projects);
});

test('no file outside the page, the benches, and the pages, scenarios and screens of e2e/ imports from them', () => {
  const others = allFiles('.').filter(
    (file) => /\.tsx?$/.test(file) && !/^(?:web|bench|e2e\/(?:pages|scenarios|screens))\//.test(file),
  );
  const importing = others.filter((file) =>
    /from '(?:\.\.\/)+(?:web|bench|pages|scenarios|screens)\//.test(readFileSync(file, 'utf8')),
  );
  expect(importing).toEqual([]);
});
