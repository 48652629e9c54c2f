import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm, runCommand } from '../set-up/run-command.mjs';
import { countsFromPlaywright, countsFromVitest, countsOfEnd, NO_COUNTS } from './counts.mjs';

/** The unit tests run once with each of these: the time at which their clock starts, and a time zone. */
const CLOCKS = [
  { UNIT_CLOCK: '2026-11-27T23:59:50', TZ: 'UTC' },
  { UNIT_CLOCK: '2026-10-25T02:59:50', TZ: 'Europe/Berlin' }, // at 03:00 it is 02:00 again
  { UNIT_CLOCK: '2027-03-14T01:59:50', TZ: 'America/New_York' }, // at 02:00 it is 03:00
];

/** A stage that is one script of package.json. Its exit code is its only result. */
export function npmScript(name) {
  return async (_reports, withinMs) => {
    return countsOfEnd(await runCommand(npm('run', '--silent', name), { withinMs }), NO_COUNTS);
  };
}

/**
 * A stage that runs a project of Vitest, and the project of its files that run alone. `files`: runs only these, instead
 * of all. `root`: runs in another checkout.
 */
export function vitest(project, env = {}) {
  return async (reports, withinMs, { files = [], root } = {}) => {
    const file = join(reports, `${project}.json`);
    const report = [
      '--reporter=default',
      '--reporter=./scripts/testing/json-with-diffs.mjs',
      `--outputFile.json=${file}`,
    ];
    const projects = [project, `${project}:alone`].flatMap((name) => ['--project', name]);
    const command = [process.execPath, 'node_modules/vitest/vitest.mjs', 'run', ...projects];
    return reported(
      await runCommand([...command, ...report, ...files], { withinMs, env, root }),
      file,
      countsFromVitest,
    );
  };
}

/** A stage that runs the unit tests again, with the seed of this run, and with each clock. */
export async function unitTestsAgain(reports, withinMs) {
  const counts = { ...NO_COUNTS, skipped: [], failures: [] };
  for (const clock of CLOCKS) {
    const settings = `UNIT_CLOCK=${clock.UNIT_CLOCK} TZ=${clock.TZ} SEED=${process.env.SEED}`;
    process.stdout.write(`\n${settings}\n`);
    const { passed, failed, skipped, failures } = await vitest('unit', clock)(reports, withinMs / CLOCKS.length);
    counts.passed += passed;
    counts.failed += failed;
    counts.skipped.push(...skipped);
    counts.failures.push(...failures.map((failure) => ({ ...failure, reason: `${settings}\n${failure.reason}` })));
  }
  return counts;
}

/**
 * A stage that runs some projects of Playwright. `files`: runs only these, keeps a trace of each failure, and leaves the
 * pictures that the whole stage made.
 */
export function playwright(...projects) {
  return async (reports, withinMs, { files = [], root } = {}) => {
    const file = join(reports, `${projects[0]}.json`);
    const command = [process.execPath, 'node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json'];
    const only = [...files, ...projects.map((project) => `--project=${project}`)]; // after `--project`, every word is the name of a project
    if (files.length > 0) only.push('--trace=retain-on-failure', '--output=test-results/again');
    const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: file };
    return reported(await runCommand([...command, ...only], { withinMs, env, root }), file, countsFromPlaywright);
  };
}

function reported(end, file, countsFromReport) {
  try {
    return countsOfEnd(end, countsFromReport(JSON.parse(readFileSync(file, 'utf8'))));
  } catch (error) {
    process.stdout.write(`This stage left no readable report: ${error.message}\n`);
    return countsOfEnd({ ...end, code: end.code || 1 }, NO_COUNTS);
  }
}
