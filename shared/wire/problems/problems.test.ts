import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { samplesOf } from '../../../testing/stories/problem-samples.ts';
import { problemsIn, strictProblem } from '../../../testing/stories/strict-problem.ts';
import { ENGLISH } from './english/all.ts';
import { problem } from './problem.ts';
import { PROBLEM_VALUES, type ProblemCode } from './values.ts';

const CODES = Object.keys(PROBLEM_VALUES) as ProblemCode[];
const ALL = CODES.flatMap((code) => samplesOf(code).map((values) => [code, values] as const));

test.each(ALL)('the English message and hint of %s with %j have no missing value', (code, values) => {
  const { message, hint } = (ENGLISH[code] as (given: unknown) => { message: string; hint: string })(values);
  expect(message).not.toMatch(/undefined|NaN|\[object|\n/);
  expect(hint).not.toMatch(/undefined|NaN|\[object|\n/);
  expect(message).toMatch(/^[A-Z"0-9a-z].{8,}/);
});

describe('a problem in JSON', () => {
  test.each(ALL)('%s with %j is read with its values', (code, values) => {
    const made = (problem as (code: string, values: unknown) => ReturnType<typeof problem>)(code, values);
    const sent = JSON.parse(JSON.stringify(made));
    expect(strictProblem(sent)).toEqual(made);
  });

  test('is refused by the strict check if its code, its values or its English differ from those of the list', () => {
    const refused = problem('refused', { where: 'redis://h' });
    expect(problemsIn({ sources: [{ problem: refused }] })).toEqual([refused]);
    for (const wrong of [
      { ...refused, code: 'refused-2' },
      { ...refused, values: {} },
      { ...refused, values: { where: 'redis://h', port: 1 } },
      { ...refused, message: 'Something else.' },
    ]) {
      expect(() => problemsIn([wrong])).toThrow();
    }
  });
});

test('every code of a problem is in a call of problem() in server/ or shared/recording/', () => {
  const produced = new Set([...sourcesIn('server'), ...sourcesIn('shared/recording')].flatMap(codesIn));
  expect(CODES.filter((code) => !produced.has(code))).toEqual([]);
});

/** The codes in calls of `problem(…)`, also where a condition chooses one. */
function codesIn(source: string): string[] {
  const calls = source.matchAll(/\bproblem\(([^,;{]*)/g);
  return [...calls].flatMap(([, code = '']) => [...code.matchAll(/'([a-z0-9-]+)'/g)].map(([, name = '']) => name));
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((file) => file.isFile() && file.name.endsWith('.ts') && !file.name.endsWith('.test.ts'))
    .filter(({ parentPath }) => !parentPath.split('/').includes('testing'))
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
}
