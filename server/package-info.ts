import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/**
 * The package's folder: the nearest folder above this file that has a package.json. Source and build are not equally
 * deep.
 */
const root = folderAbove(new URL('.', import.meta.url));

/** The version in package.json. */
export const VERSION = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))).version;

/** The folder of the built page. */
export const WEB_DIR = pathOf('dist/web');

/**
 * The files of the built programs: the command, and what it starts in threads and processes of their own. Code that is
 * not built starts the built programs too.
 */
export const PROGRAMS = {
  lockscope: pathOf('dist/server/main.js'),
  observer: pathOf('dist/server/watch/thread/observer-worker.js'),
  settingsRestorer: pathOf('dist/server/watch/observer/restore-settings.js'),
  recordingReader: pathOf('dist/server/recordings/read-worker.js'),
  dumpReader: pathOf('dist/server/dumps/dump-worker.js'),
  store: pathOf('dist/server/store/store-thread.js'),
  demoClient: pathOf('dist/server/demo/client/main.js'),
};

/** The folder of the recorded runs of the demo. */
export const RECORDED_DIR = pathOf('server/demo/recorded');

/** The path of a file or folder of the package. */
function pathOf(inPackage: string): string {
  return fileURLToPath(new URL(inPackage, root));
}

function folderAbove(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder;
  const above = new URL('../', folder);
  if (above.href === folder.href)
    throw new Error('The package of Lockscope is not whole: its package.json is missing.');
  return folderAbove(above);
}
