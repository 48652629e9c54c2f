import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildWhatIsOld } from './set-up/build.mjs';
import { installDependencies } from './set-up/dependencies.mjs';
import { requireNode } from './set-up/node-version.mjs';
import { isOnPath } from './set-up/on-path.mjs';
import { ROOT, say } from './set-up/run-command.mjs';

/*
 * `npm start -- ARGS` and `npm run demo -- FLAGS`: sets up what is missing, then becomes the program itself, so that
 * signals, exit code and output are the program's own. Whatever the set-up says goes to stderr.
 */

const MAIN = join(ROOT, 'dist/server/main.js');

requireNode(20, 19);
const words = process.argv.slice(2);
if (words[0] === 'demo' && !hasRedisFor(words)) {
  say(
    'the demo needs a redis-server. Install it (Debian: apt-get install redis-server, macOS: brew install redis) or start Docker.',
  );
  process.exit(1);
}
if (!(await installDependencies()) || !(await buildWhatIsOld())) process.exit(1);
process.argv = [process.execPath, MAIN, ...words];
await import(pathToFileURL(MAIN).href);

/** Whether it is worth setting up a demo; the program itself finds out whether the server really runs. */
function hasRedisFor(demoWords) {
  const bringsOwn = demoWords.some((word) =>
    ['--redis', '--help', '-h', '--version', '-v'].includes(word.split('=')[0]),
  );
  return bringsOwn || !!process.env.REDIS_SERVER || ['redis-server', 'valkey-server', 'docker'].some(isOnPath);
}
