import { fstatSync, readSync, type Stats, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isatty } from 'node:tty';

/**
 * Guesses from the open files whether `nohup` started this process. The ignored SIGHUP itself is not visible, because
 * Node resets ignored signals. In a terminal, `nohup` replaces stdin by a file that cannot be read, and writes stdout
 * and stderr to `nohup.out`.
 */
export function isUnderNohup(): boolean {
  return isStdinUnreadable() || [1, 2].some(isNohupFile);
}

function isStdinUnreadable(): boolean {
  try {
    // Read only from a device such as /dev/null: other files could block.
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
