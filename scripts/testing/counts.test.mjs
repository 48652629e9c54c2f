import { expect, test } from 'vitest';
import { countsFromPlaywright, countsFromVitest, countsOfEnd, NO_COUNTS } from './counts.mjs';

const testNamed = (fullName, status) => ({ fullName, status });

test('counts what passed, failed and did not run in a Vitest report', () => {
  const testResults = [
    { status: 'failed', assertionResults: [testNamed('a', 'passed'), testNamed('b', 'failed')] },
    { status: 'passed', assertionResults: [testNamed('c', 'passed'), testNamed('d', 'skipped')] },
  ];
  expect(countsFromVitest({ testResults })).toEqual({ passed: 2, failed: 1, skipped: ['d'] });
});

test('a file that could not be loaded, or whose hook failed, is one failed test', () => {
  const testResults = [
    { status: 'failed', assertionResults: [] },
    { status: 'failed', assertionResults: [testNamed('a', 'passed')] },
  ];
  expect(countsFromVitest({ testResults })).toEqual({ passed: 1, failed: 2, skipped: [] });
});

test('counts nested suites and errors outside of tests in a Playwright report', () => {
  const spec = (title, status) => ({ title, tests: [{ status }] });
  const suites = [
    {
      title: 'x.spec.ts',
      specs: [spec('one', 'expected')],
      suites: [{ title: 'group', specs: [spec('two', 'unexpected'), spec('three', 'flaky'), spec('four', 'skipped')] }],
    },
  ];
  expect(countsFromPlaywright({ suites, errors: [] })).toEqual({ passed: 1, failed: 2, skipped: ['group four'] });
  expect(countsFromPlaywright({ suites: [], errors: [{ message: 'no tests found' }] }).failed).toBe(1);
});

test('a stage that ends badly fails at least once', () => {
  expect(countsOfEnd(1, NO_COUNTS).failed).toBe(1);
  expect(countsOfEnd(1, { passed: 3, failed: 2, skipped: [] }).failed).toBe(2);
  expect(countsOfEnd(0, NO_COUNTS).failed).toBe(0);
});
