import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAll } from './set-up/build.mjs';
import { installDependencies } from './set-up/dependencies.mjs';
import { completeMachine } from './set-up/machine.mjs';
import { requireNode } from './set-up/node-version.mjs';
import { ROOT } from './set-up/run-command.mjs';
import { runAgain } from './testing/again.mjs';
import { NO_COUNTS } from './testing/counts.mjs';
import { secondsAfter } from './testing/seconds-after.mjs';
import { STAGES } from './testing/stages.mjs';

/*
 * `npm test`: installs what is missing, builds, and runs every stage of the gate, even after a failed one. `npm run
 * test:deep` runs the other stages, `npm test -- unit live` only these two. `--write-seconds` notes how long each file
 * took, for the order of the next runs. The last line is `N passed, N failed`. The exit code is 1 if a test failed, and
 * 2 if there is no such stage or flag.
 */

requireNode(20, 19);
const words = process.argv.slice(2);
const flags = words.filter((word) => word.startsWith('--'));
const wanted = words.filter((word) => !word.startsWith('--'));
const tier = flags.includes('--deep') ? 'deep' : 'gate';
const unknown = [
  ...flags.filter((flag) => !['--deep', '--write-seconds'].includes(flag)),
  ...wanted.filter((id) => !STAGES.some((stage) => stage.id === id)),
];
if (unknown.length > 0) {
  process.stderr.write(`There is no stage ${unknown.join(', ')}. Stages: ${STAGES.map(({ id }) => id).join(', ')}.\n`);
  process.exit(2);
}

const stages = STAGES.filter((stage) => (wanted.length === 0 ? stage.tier === tier : wanted.includes(stage.id)));
const results = [];
const began = performance.now();
const reports = mkdtempSync(join(tmpdir(), 'lockscope-test-'));
if (tier === 'deep') {
  process.env.SEED ||= String(Math.floor(Math.random() * 1e9));
  process.stdout.write(`SEED=${process.env.SEED}\n`);
}
const setUp = await timed('set-up', 'dependencies, machine, build', prepare);
// Without the programs they need, the stages would fail with less clear messages.
if (setUp.canGoOn)
  for (const { id, title, run, withinMs } of stages) await timed(id, title, () => run(reports, withinMs));
if (flags.includes('--write-seconds')) writeSeconds();
const again = tier === 'gate' ? await runAgain(failedFiles(), reports) : [];
rmSync(reports, { recursive: true, force: true });
summarize();

async function prepare() {
  if (!(await installDependencies())) return { ...NO_COUNTS, failed: 1, canGoOn: false };
  const missing = await completeMachine(new Set(stages.flatMap(({ needs = [] }) => needs)));
  if (missing.length > 0) return { ...NO_COUNTS, failed: missing.length, canGoOn: false };
  return { ...NO_COUNTS, failed: (await buildAll()) ? 0 : 1, canGoOn: true };
}

async function timed(id, title, job) {
  process.stdout.write(`\n── ${id}: ${title} ──\n`);
  const start = performance.now();
  const counts = await job();
  const result = { id, took: (performance.now() - start) / 1000, ...counts };
  process.stdout.write(`── ${id} took ${result.took.toFixed(0)} s ──\n`);
  results.push(result);
  return result;
}

/** The test files with a failed test, with their stage. */
function failedFiles() {
  const files = new Map();
  for (const { id, failures } of results) {
    const stage = stages.find((each) => each.id === id);
    for (const { file } of failures) if (file !== undefined) files.set(file, { file, stage });
  }
  return [...files.values()];
}

/** Notes in `seconds.json` how long the files of this run took. */
function writeSeconds() {
  const path = join(ROOT, 'scripts/testing/seconds.json');
  const ran = Object.assign({}, ...results.map(({ seconds }) => seconds));
  const seconds = secondsAfter(JSON.parse(readFileSync(path, 'utf8')), ran, (file) => existsSync(join(ROOT, file)));
  writeFileSync(path, `${JSON.stringify(seconds, null, 2)}\n`);
}

function summarize() {
  const sum = { passed: 0, failed: 0 };
  process.stdout.write('\n');
  for (const { id, failures } of results) {
    for (const { name, reason } of failures) {
      process.stdout.write(`FAILED  ${id}: ${name}\n${reason.replace(/^/gm, '        ')}\n\n`);
    }
  }
  for (const { id, took, passed, failed, skipped } of results) {
    sum.passed += passed;
    sum.failed += failed;
    const verdict = failed > 0 ? `${failed} FAILED` : 'ok';
    process.stdout.write(`${id.padEnd(12)}${`${took.toFixed(0)} s`.padStart(7)}  ${verdict}, ${passed} passed\n`);
    for (const name of skipped) process.stdout.write(`             not run: ${name}\n`);
  }
  process.stdout.write(`in ${((performance.now() - began) / 60_000).toFixed(1)} minutes\n`);
  for (const line of again) process.stdout.write(`again: ${line}\n`);
  process.stdout.write(`${sum.passed} passed, ${sum.failed} failed\n`);
  process.exitCode = sum.failed > 0 ? 1 : 0;
}
