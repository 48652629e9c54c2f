import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** True if PATH has a program with that name. */
export function isOnPath(program) {
  return (process.env.PATH ?? '').split(delimiter).some((dir) => dir !== '' && canRun(join(dir, program)));
}

/** True if the file is executable. */
export function canRun(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
