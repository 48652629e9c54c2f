/** How many tests of one stage passed and failed, and which did not run. */
export const NO_COUNTS = { passed: 0, failed: 0, skipped: [] };

/** Reads the JSON report of Vitest. A file that could not be loaded counts as one failed test. */
export function countsFromVitest(report) {
  const counts = { passed: 0, failed: 0, skipped: [] };
  for (const { status, assertionResults } of report.testResults) {
    if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed')) counts.failed++;
    for (const test of assertionResults) {
      if (test.status === 'passed') counts.passed++;
      else if (test.status === 'failed') counts.failed++;
      else counts.skipped.push(test.fullName);
    }
  }
  return counts;
}

/** Reads the JSON report of Playwright. What failed outside of any test counts as one failed test. */
export function countsFromPlaywright(report) {
  const counts = { passed: 0, failed: report.errors.length, skipped: [] };
  const countSuite = ({ title, specs = [], suites = [] }) => {
    for (const spec of specs) {
      for (const { status } of spec.tests) {
        if (status === 'expected') counts.passed++;
        else if (status === 'skipped') counts.skipped.push(`${title} ${spec.title}`);
        else counts.failed++;
      }
    }
    suites.forEach(countSuite);
  };
  report.suites.forEach(countSuite);
  return counts;
}

/** A stage that ended badly without a failed test has failed all the same: once. */
export function countsOfEnd(exitCode, counts) {
  return exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}
