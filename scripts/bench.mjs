import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildWhatIsOld } from './set-up/build.mjs';
import { installDependencies } from './set-up/dependencies.mjs';
import { requireNode } from './set-up/node-version.mjs';
import { ROOT, runStep } from './set-up/run-command.mjs';

/*
 * `npm run bench`, `npm run bench -- --json NAME…`: installs and builds what is missing, compiles the benches with the
 * modules they measure to `dist/bench`, and runs them. A bench that starts Lockscope starts the built program in
 * `dist/server`. Output of the set-up goes to stderr.
 */

requireNode(20, 19);
const compile = [process.execPath, join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.bench.json'];
if (!(await installDependencies()) || !(await buildWhatIsOld()) || !(await runStep('building the benches', compile))) {
  process.exit(1);
}
await import(pathToFileURL(join(ROOT, 'dist/bench/bench/run.js')).href);
