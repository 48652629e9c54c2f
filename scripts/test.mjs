import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAll } from './set-up/build.mjs';
import { installDependencies } from './set-up/dependencies.mjs';
import { completeMachine } from './set-up/machine.mjs';
import { requireNode } from './set-up/node-version.mjs';
import { STAGES } from './testing/stages.mjs';

/*
 * `npm test`: installs what is missing, builds, and runs every stage, even after a failed one. `npm test -- unit live`
 * runs some stages. The last line is `N passed, N failed`. The exit code is 1 if a test failed.
 */

requireNode(20, 19);
const wanted = process.argv.slice(2);
const unknown = wanted.filter((id) => !STAGES.some((stage) => stage.id === id));
if (unknown.length > 0) {
  process.stderr.write(`There is no stage ${unknown.join(', ')}. Stages: ${STAGES.map(({ id }) => id).join(', ')}.\n`);
  process.exit(2);
}

const stages = STAGES.filter(({ id }) => wanted.length === 0 || wanted.includes(id));
const results = [];
const began = performance.now();
const setUp = await timed('set-up', 'dependencies, machine, build', prepare);
// Without the programs they need, the stages would fail with less clear messages.
if (setUp.canGoOn) await runStages();
summarize();

async function prepare() {
  if (!(await installDependencies())) return { passed: 0, failed: 1, skipped: [], canGoOn: false };
  const missing = await completeMachine(new Set(stages.flatMap(({ needs }) => needs)));
  if (missing.length > 0) return { passed: 0, failed: missing.length, skipped: [], canGoOn: false };
  return { passed: 0, failed: (await buildAll()) ? 0 : 1, skipped: [], canGoOn: true };
}

async function runStages() {
  const reports = mkdtempSync(join(tmpdir(), 'lockscope-test-'));
  for (const group of groupsOf(stages)) {
    await Promise.all(group.map(({ id, title, run, withinMs }) => timed(id, title, () => run(reports, withinMs))));
  }
  rmSync(reports, { recursive: true, force: true });
}

/** Stages that run at once, and all others alone. Stages of a group follow each other in the list. */
function groupsOf(list) {
  const groups = [];
  for (const stage of list) {
    const last = groups.at(-1);
    if (stage.group !== undefined && last?.[0].group === stage.group) last.push(stage);
    else groups.push([stage]);
  }
  return groups;
}

async function timed(id, title, job) {
  process.stdout.write(`\n── ${id}: ${title} ──\n`);
  const start = performance.now();
  const counts = await job();
  const result = { id, seconds: (performance.now() - start) / 1000, ...counts };
  process.stdout.write(`── ${id} took ${result.seconds.toFixed(0)} s ──\n`);
  results.push(result);
  return result;
}

function summarize() {
  const sum = { passed: 0, failed: 0 };
  process.stdout.write('\n');
  for (const { id, failures = [] } of results) {
    for (const { name, reason } of failures) {
      process.stdout.write(`FAILED  ${id}: ${name}\n${reason.replace(/^/gm, '        ')}\n\n`);
    }
  }
  for (const { id, seconds, passed, failed, skipped } of results) {
    sum.passed += passed;
    sum.failed += failed;
    const verdict = failed > 0 ? `${failed} FAILED` : 'ok';
    process.stdout.write(`${id.padEnd(10)}${`${seconds.toFixed(0)} s`.padStart(7)}  ${verdict}, ${passed} passed\n`);
    for (const name of skipped) process.stdout.write(`           not run: ${name}\n`);
  }
  process.stdout.write(`in ${((performance.now() - began) / 60_000).toFixed(1)} minutes\n`);
  process.stdout.write(`${sum.passed} passed, ${sum.failed} failed\n`);
  process.exitCode = sum.failed > 0 ? 1 : 0;
}
