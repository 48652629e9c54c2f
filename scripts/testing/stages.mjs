import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm, runCommand } from '../set-up/run-command.mjs';
import { countsFromPlaywright, countsFromVitest, countsOfEnd, NO_COUNTS } from './counts.mjs';

const MINUTE_MS = 60_000;

/**
 * Every stage of `npm test`, in order, with the programs it needs. Those of a group run at once: they wait for others more
 * than they compute. A stage is ended after `withinMs`, which is long enough for a machine that is three times slower.
 */
export const STAGES = [
  { id: 'types', title: 'types', needs: [], run: npmScript('types'), withinMs: 3 * MINUTE_MS },
  { id: 'lint', title: 'lint and format', needs: [], run: npmScript('lint'), withinMs: 2 * MINUTE_MS },
  { id: 'unit', title: 'rules, goldens and units', needs: [], run: vitest('unit'), withinMs: 8 * MINUTE_MS },
  {
    id: 'live',
    title: 'live tests on a real Redis',
    needs: ['redis', 'prometheus'],
    run: vitest('live'),
    withinMs: 20 * MINUTE_MS,
  },
  {
    id: 'attacks',
    title: 'attacks on a built Lockscope and on the Redis it watches',
    needs: ['redis'],
    run: vitest('attacks'),
    withinMs: 15 * MINUTE_MS,
  },
  {
    id: 'interop',
    group: 'clients',
    title: 'interop with the published Java client',
    needs: ['redis', 'jdk', 'maven'],
    run: vitest('interop', {
      REDISSON_VERSIONS: process.env.REDISSON_VERSIONS || (process.env.CI ? 'quick' : 'usual'),
    }),
    withinMs: 15 * MINUTE_MS,
  },
  {
    id: 'libraries',
    group: 'clients',
    title: 'real clients of other lock libraries',
    needs: ['redis', 'jdk', 'maven', 'python'],
    run: vitest('libraries'),
    withinMs: 15 * MINUTE_MS,
  },
  {
    id: 'package',
    group: 'clients',
    title: 'the package, installed in an empty folder',
    needs: ['redis'],
    run: vitest('package'),
    withinMs: 15 * MINUTE_MS,
  },
  {
    id: 'chaos',
    group: 'clients',
    title: 'random faults between clients, Redis and Lockscope',
    needs: ['redis'],
    run: vitest('chaos'),
    withinMs: 20 * MINUTE_MS,
  },
  {
    id: 'e2e',
    title: 'the page in Chromium',
    needs: ['redis', 'chromium'],
    run: playwright,
    withinMs: 35 * MINUTE_MS,
  },
];

function npmScript(name) {
  return async (_reports, withinMs) => {
    return countsOfEnd(await runCommand(npm('run', '--silent', name), { withinMs }), NO_COUNTS);
  };
}

function vitest(project, env = {}) {
  return async (reports, withinMs) => {
    const file = join(reports, `${project}.json`);
    const report = [
      '--reporter=default',
      '--reporter=./scripts/testing/json-with-diffs.mjs',
      `--outputFile.json=${file}`,
    ];
    const command = [process.execPath, 'node_modules/vitest/vitest.mjs', 'run', '--project', project, ...report];
    return reported(await runCommand(command, { withinMs, env }), file, countsFromVitest);
  };
}

async function playwright(reports, withinMs) {
  const file = join(reports, 'e2e.json');
  const command = [process.execPath, 'node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json'];
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: file };
  return reported(await runCommand(command, { withinMs, env }), file, countsFromPlaywright);
}

function reported(end, file, countsFromReport) {
  try {
    return countsOfEnd(end, countsFromReport(JSON.parse(readFileSync(file, 'utf8'))));
  } catch (error) {
    process.stdout.write(`This stage left no readable report: ${error.message}\n`);
    return countsOfEnd({ ...end, code: end.code || 1 }, NO_COUNTS);
  }
}
