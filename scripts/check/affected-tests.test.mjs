import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { affectedTests } from './affected-tests.mjs';
import { allFiles } from './changed-files.mjs';

const TREE = {
  'a/base.ts': 'export const x = 1;',
  'a/middle.ts': "import { x } from './base.ts';",
  'a/types.ts': "import type { X } from './base.ts';\nimport { type Y } from './base.ts';",
  'a/later.ts': "const { x } = await import('./base.ts');",
  'a/base.test.ts': "import { x } from './base.ts';",
  'a/middle.test.ts': "import { y } from './middle.ts';",
  'a/types.test.ts': "import { z } from './types.ts';",
  'a/later.test.ts': "export { x } from './later.ts';",
  'b/traces.ts': "import { readdirSync } from 'node:fs';\nconst TRACES = new URL('../data/', import.meta.url);",
  'b/goldens.test.ts': "import { traces } from './traces.ts';",
  'b/dump.test.ts': `import { readFileSync } from 'node:fs';\nconst dump = (n) => \`data/dump.\${n}\`;`,
  'b/house.test.ts': "import { readdirSync } from 'node:fs';\nfor (const folder of ['a', 'web']) readdirSync(folder);",
  'b/word.test.ts': "expect(textOf('a')).toBe('data/x.trace');",
  'data/x.trace': '',
};

/** The tests that run after a change of these files. */
function after(...changed) {
  return affectedTests(changed, Object.keys(TREE), (file) => TREE[file]);
}

test('a change of a test file runs that file', () => {
  expect(after('a/types.test.ts')).toEqual(['a/types.test.ts', 'b/house.test.ts']);
});

test('a change of a file runs the tests that import it, directly or not, the nearest first, even if the file was deleted', () => {
  expect(after('a/base.ts')).toEqual(['a/base.test.ts', 'b/house.test.ts', 'a/middle.test.ts', 'a/later.test.ts']);
  expect(after('a/middle.ts')).toEqual(['a/middle.test.ts', 'b/house.test.ts']);
  const { 'a/middle.ts': _, ...others } = TREE;
  expect(affectedTests(['a/middle.ts'], Object.keys(others), (file) => others[file])).toContain('a/middle.test.ts');
});

test('a change of a data file runs the tests that read it by its name, by its folder or by the beginning of its path', () => {
  expect(after('data/x.trace')).toEqual(['b/goldens.test.ts']);
  expect(after('data/new.trace')).toEqual(['b/goldens.test.ts']);
  expect(after('data/dump.txt')).toEqual(['b/dump.test.ts', 'b/goldens.test.ts']);
  expect(after('elsewhere/x.trace')).toEqual([]);
});

test('a change of the packages or of the configuration of tests runs all tests', () => {
  expect(after('package-lock.json')).toHaveLength(8);
  expect(after('vitest.config.ts')).toHaveLength(8);
});

test.each([
  ['shared/traces/redisson-4.7.0/two-clients.trace', 'testing/goldens/goldens.test.ts'],
  ['shared/traces/dumps/redisson-4.7.0.jstack.txt', 'shared/dumps/parse-dump.test.ts'],
  ['shared/traces/servers/new.trace', 'testing/goldens/heard-expiries.test.ts'],
  ['testing/goldens/INSIGHTS.md', 'testing/goldens/insight-goldens.test.ts'],
  ['docs/api.md', 'server/http/routes/all.test.ts'],
  ['docs/security.md', 'e2e/support/docs/documents.test.ts'],
  ['deploy/grafana/lockscope.json', 'server/metrics/deploy.test.ts'],
  ['.github/workflows/test.yml', 'scripts/workflows.test.mjs'],
  ['.vscode/launch.json', 'scripts/dev/start-dev.test.mjs'],
  ['web/words/zh-CN/locks/lock.ts', 'web/words/catalogues.test.ts'],
  ['shared/insights/detectors/stuck/new.ts', 'testing/house/import-rules.test.ts'],
  ['server/demo/scenarios/new.ts', 'web/stage/script/scenario-table.test.ts'],
])('in this checkout, a change of %s runs %s', (changed, expected) => {
  expect(affectedTests([changed], allFiles('.'), (file) => readFileSync(file, 'utf8'))).toContain(expected);
});
