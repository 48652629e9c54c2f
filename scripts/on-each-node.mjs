import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { npm, ROOT, runCommand, runStep, say } from './set-up/run-command.mjs';

/*
 * `npm run unit:nodes -- VERSIONS`: the unit tests on the oldest supported Node, and on Node 22, 24 and 26. Each Node is
 * a package of npm, and is installed once into node_modules/.cache, in its newest version at that time.
 */

const OLDEST = '20.19.0';
const VERSIONS = [OLDEST, '22', '24', '26'];
const PACKAGED = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];

const machine = `${process.platform}-${process.arch}`;
if (!PACKAGED.includes(machine)) {
  say(
    `there are no packages of Node for ${machine}. Run "npm run unit" with each Node yourself, for example with nvm.`,
  );
  process.exit(1);
}
const wanted = process.argv.slice(2);
const results = [];
for (const version of wanted.length > 0 ? wanted : VERSIONS) results.push(await testOn(version));
for (const { title, isGreen, seconds } of results) {
  process.stdout.write(`${title.padEnd(16)} ${isGreen ? 'ok' : 'FAILED'}, ${seconds.toFixed(0)} s\n`);
}
process.exitCode = results.every(({ isGreen }) => isGreen) ? 0 : 1;

/** Runs the unit tests on one version. */
async function testOn(version) {
  const start = performance.now();
  const result = (title, isGreen) => ({ title, isGreen, seconds: (performance.now() - start) / 1000 });
  const node = await installedNode(version);
  if (node === undefined) return result(`Node ${version}`, false);
  const { output } = await runCommand([node, '--version'], { isQuiet: true });
  const title = `Node ${output.trim()}`;
  say(`unit tests on ${title}`);
  const { code } = await runCommand([node, 'node_modules/vitest/vitest.mjs', 'run', '--project', 'unit']);
  return result(title, code === 0);
}

/** The program of a version, which is installed first if it is missing; undefined if that fails. */
async function installedNode(version) {
  const name = `node-${machine}`;
  const folder = join(ROOT, 'node_modules/.cache/nodes', version);
  const program = join(folder, 'node_modules', name, 'bin/node');
  if (existsSync(program)) return program;
  const options = ['--prefix', folder, '--no-save', '--no-package-lock', '--ignore-scripts'];
  const isInstalled = await runStep(`installing Node ${version}`, npm('install', ...options, `${name}@${version}`));
  return isInstalled && existsSync(program) ? program : undefined;
}
