import { basename } from 'node:path';
import { redactUrl } from '../../shared/base/redis-url.ts';

/** Whether `--store` names a database, and not a file. */
export function isDatabaseUrl(path: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(path);
}

/** A store as messages show it: the path of its file, or its URL without user, password and settings. */
export function shownStore(path: string): string {
  return isDatabaseUrl(path) ? redactUrl(path) : path;
}

/** A store as pages show it: the name of its file, or its URL without user, password and settings. */
export function nameOfStore(path: string): string {
  return isDatabaseUrl(path) ? redactUrl(path) : basename(path);
}
