import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../set-up/run-command.mjs';
import { countsFromPlaywright, countsFromVitest, countsOfEnd, NO_COUNTS } from './counts.mjs';

const FILE = { name: join(ROOT, 'x.test.ts'), startTime: 1000, endTime: 3000 };
const OTHER = { name: join(ROOT, 'y.test.ts'), startTime: 1000, endTime: 1500 };
const testNamed = (fullName, status) => ({ fullName, status, failureMessages: [`why ${fullName} ${status}`] });

test('passed, failed and skipped tests are counted in a Vitest report', () => {
  const testResults = [
    { ...FILE, status: 'failed', assertionResults: [testNamed('a', 'passed'), testNamed('b', 'failed')] },
    { ...OTHER, status: 'passed', assertionResults: [testNamed('c', 'passed'), testNamed('d', 'skipped')] },
  ];
  expect(countsFromVitest({ testResults })).toEqual({
    passed: 2,
    failed: 1,
    skipped: ['d'],
    failures: [{ name: 'b', file: 'x.test.ts', reason: 'why b failed' }],
    seconds: { 'x.test.ts': 2, 'y.test.ts': 0.5 },
  });
});

test('a file that could not be loaded, or whose hook failed, is one failed test', () => {
  const testResults = [
    { ...FILE, message: '\x1b[31mSyntaxError\x1b[39m', status: 'failed', assertionResults: [] },
    { ...OTHER, status: 'failed', assertionResults: [testNamed('a', 'passed')] },
  ];
  const counts = countsFromVitest({ testResults });
  expect(counts).toMatchObject({ passed: 1, failed: 2, skipped: [] });
  expect(counts.failures[0]).toEqual({ name: 'x.test.ts', file: 'x.test.ts', reason: 'SyntaxError' });
});

test('nested suites and errors outside of tests are counted in a Playwright report', () => {
  const results = [{ duration: 1500, error: { message: `line\n`.repeat(20) } }];
  const spec = (title, status) => ({ title, tests: [{ status, results }] });
  const suites = [
    {
      title: 'x.spec.ts',
      file: 'x.spec.ts',
      specs: [spec('one', 'expected')],
      suites: [
        {
          title: 'group',
          file: 'x.spec.ts',
          specs: [spec('two', 'unexpected'), spec('three', 'flaky'), spec('four', 'skipped')],
        },
      ],
    },
  ];
  const counts = countsFromPlaywright({ suites, errors: [] });
  expect(counts).toMatchObject({ passed: 1, failed: 2, skipped: ['group four'] });
  const reason = 'line\n'.repeat(20).trim();
  expect(counts.failures).toContainEqual({ name: 'group two', file: 'e2e/scenarios/x.spec.ts', reason });
  expect(counts.seconds).toEqual({ 'e2e/scenarios/x.spec.ts': 6 });
  expect(countsFromPlaywright({ suites: [], errors: [{ message: 'no tests found' }] }).failed).toBe(1);
});

test('a stage that exits with an error, or is stopped, has at least one failure', () => {
  const of = (end) => countsOfEnd(end, NO_COUNTS);
  expect(of({ code: 1 })).toMatchObject({ failed: 1, failures: [{ reason: 'it ended with 1' }] });
  expect(of({ code: 1, isLate: true })).toMatchObject({ failures: [{ reason: 'it took too long and was stopped' }] });
  expect(countsOfEnd({ code: 1 }, { passed: 3, failed: 2, skipped: [] }).failed).toBe(2);
  expect(of({ code: 0 }).failed).toBe(0);
});
