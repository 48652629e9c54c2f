import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildWhatIsOld } from './set-up/build.mjs';
import { installDependencies } from './set-up/dependencies.mjs';
import { requireNode } from './set-up/node-version.mjs';
import { ROOT } from './set-up/run-command.mjs';

/*
 * `npm start -- ARGS` and `npm run demo -- FLAGS`: installs and builds what is missing, then runs the program in this
 * process, so that signals, exit code and output are the program's own. Output of the set-up goes to stderr.
 */

const MAIN = join(ROOT, 'dist/server/main.js');

// `ps` shows the command line, which may contain a password.
process.title = 'lockscope';
requireNode(20, 19);
const words = process.argv.slice(2);
if (!(await installDependencies()) || !(await buildWhatIsOld())) process.exit(1);
process.argv = [process.execPath, MAIN, ...words];
await import(pathToFileURL(MAIN).href);
