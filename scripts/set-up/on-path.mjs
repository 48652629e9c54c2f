import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** True when a program of that name can be run from PATH. */
export function isOnPath(program) {
  return (process.env.PATH ?? '').split(delimiter).some((dir) => dir !== '' && canRun(join(dir, program)));
}

/** True when the file can be run. */
export function canRun(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
