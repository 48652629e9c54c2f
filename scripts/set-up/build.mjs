import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { npm, ROOT, runStep } from './run-command.mjs';

const SETTINGS = ['package.json', 'package-lock.json', 'tsconfig.json'];

/** The server and the page: what each is built from, and the file its build writes last. */
const BUILDS = [
  {
    title: 'building the server',
    command: npm('run', 'build:server'),
    output: 'dist/server/main.js',
    sources: ['shared', 'server', 'library', ...SETTINGS],
  },
  {
    title: 'building the page',
    command: npm('run', 'build:web'),
    output: 'dist/web/index.html',
    sources: ['shared', 'web', ...SETTINGS],
  },
];

/** Builds what is missing or older than its sources. False if a build fails. */
export async function buildWhatIsOld() {
  for (const each of BUILDS) {
    if (isOld(each) && !(await runStep(each.title, each.command))) return false;
  }
  return true;
}

/** Builds the server and the page, in this checkout or another one. False if a build fails. */
export async function buildAll(root = ROOT) {
  let isBuilt = true;
  for (const { title, command } of BUILDS) isBuilt = (await runStep(title, command, root)) && isBuilt;
  return isBuilt;
}

function isOld({ output, sources }) {
  const file = join(ROOT, output);
  if (!existsSync(file)) return true;
  const builtAt = statSync(file).mtimeMs;
  return sources.some((source) => changedAt(join(ROOT, source)) > builtAt);
}

/** When a file, or anything in a folder, last changed, in ms. Deleting a file changes its folder. */
function changedAt(path) {
  const info = statSync(path);
  if (!info.isDirectory()) return info.mtimeMs;
  return Math.max(info.mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))));
}
