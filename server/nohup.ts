import { fstatSync, readSync, type Stats, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isatty } from 'node:tty';

/**
 * Whether `nohup` started this process, as far as its files show. Node resets signals that were ignored, so SIGHUP
 * itself no longer shows it. In a terminal `nohup` gives a stdin that cannot be read, and writes to `nohup.out`.
 */
export function isUnderNohup(): boolean {
  return isStdinUnreadable() || [1, 2].some(isNohupFile);
}

function isStdinUnreadable(): boolean {
  try {
    // Only a device such as /dev/null answers at once.
    if (isatty(0) || !fstatSync(0).isCharacterDevice()) return false;
    readSync(0, Buffer.alloc(1), 0, 1, null);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EBADF' && isOpen(0);
  }
}

function isNohupFile(fd: number): boolean {
  const file = statOf(() => fstatSync(fd));
  if (!file?.isFile()) return false;
  return ['nohup.out', join(homedir(), 'nohup.out')].some((path) => {
    const other = statOf(() => statSync(path));
    return other !== undefined && other.ino === file.ino && other.dev === file.dev;
  });
}

function isOpen(fd: number): boolean {
  return statOf(() => fstatSync(fd)) !== undefined;
}

function statOf(read: () => Stats): Stats | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
