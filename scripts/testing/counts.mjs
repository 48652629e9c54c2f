import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from '../set-up/run-command.mjs';

/**
 * The result of a stage that ran no test. The fields of each result: the number of tests that passed and failed, the
 * names of skipped tests, and `failures`: name, reason, and the test file if it is known. `seconds`: how long each test
 * file took.
 */
export const NO_COUNTS = { passed: 0, failed: 0, skipped: [], failures: [], seconds: {} };

/** A failure's reason is cut to this many lines. All of it is in the output of the stage. */
const REASON_LINES = 20;
/** Stack lines of packages, mostly of the test runner. */
const FROM_RUNNER = /^\s*at .*node_modules/;

/** Reads the JSON report of Vitest. A file that cannot be loaded, or whose hook fails, counts as one failed test. */
export function countsFromVitest(report) {
  const counts = { passed: 0, failed: 0, skipped: [], failures: [], seconds: {} };
  for (const { name, message, status, assertionResults, startTime, endTime } of report.testResults) {
    const file = relative(ROOT, name);
    counts.seconds[file] = (endTime - startTime) / 1000;
    if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed')) {
      counts.failed++;
      counts.failures.push(failure(file, message, file));
    }
    for (const test of assertionResults) {
      if (test.status === 'passed') counts.passed++;
      else if (test.status === 'failed') {
        counts.failed++;
        counts.failures.push(failure(test.fullName, test.failureMessages?.[0], file));
      } else counts.skipped.push(test.fullName);
    }
  }
  return counts;
}

/** Reads the JSON report of Playwright. Each error outside of a test counts as one failed test. */
export function countsFromPlaywright(report) {
  const failures = report.errors.map(({ message }) => failure('outside of any test', message));
  const counts = { passed: 0, failed: failures.length, skipped: [], failures, seconds: {} };
  const countSuite = ({ title, file, specs = [], suites = [] }) => {
    for (const spec of specs) {
      for (const { status, results = [] } of spec.tests) {
        const path = join('e2e/scenarios', file);
        for (const { duration = 0 } of results) counts.seconds[path] = (counts.seconds[path] ?? 0) + duration / 1000;
        if (status === 'expected') counts.passed++;
        else if (status === 'skipped') counts.skipped.push(`${title} ${spec.title}`);
        else {
          counts.failed++;
          counts.failures.push(failure(`${title} ${spec.title}`, results.at(-1)?.error?.message, path));
        }
      }
    }
    suites.forEach(countSuite);
  };
  report.suites.forEach(countSuite);
  return counts;
}

/** Counts one failed test if a stage has no failed test, but exits with an error or was stopped for taking too long. */
export function countsOfEnd({ code, isLate = false }, counts) {
  if (code === 0 || counts.failed > 0) return counts;
  const reason = isLate ? 'it took too long and was stopped' : `it ended with ${code}`;
  return { ...counts, failed: 1, failures: [failure('the stage itself', reason)] };
}

function failure(name, message, file) {
  const lines = stripVTControlCharacters(String(message ?? 'no reason was given'))
    .trim()
    .split('\n')
    .filter((line) => !FROM_RUNNER.test(line));
  return { name, file, reason: lines.slice(0, REASON_LINES).join('\n') };
}
