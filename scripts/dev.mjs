import { installDependencies } from './set-up/dependencies.mjs';
import { requireNode } from './set-up/node-version.mjs';

/*
 * `npm run dev`: the server starts again after each change of its sources, and the page shows each change at once.
 * `npm run dev -- ARGS` passes the arguments to `lockscope`, and `--inspect` to Node.
 */

// `ps` shows the command line, which may contain a password.
process.title = 'lockscope dev';
requireNode(20, 19);
if (!(await installDependencies())) process.exit(1);
// Imported only now, because Vite may just have been installed.
const { startDev } = await import('./dev/start-dev.mjs');
await startDev(process.argv.slice(2), process.env);
