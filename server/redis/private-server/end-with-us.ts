import { spawn } from 'node:child_process';

/**
 * Kills a process and removes its folder when this process ends, even by SIGKILL. Returns a function that prevents
 * that.
 *
 *   us ──pipe── sh: reads until the pipe closes, then kills the process
 */
export function endWithUs(pid: number, dir = ''): () => void {
  const guard = spawn('sh', ['-c', 'read -r _; kill -9 "$0"; rm -rf "$1"', `${pid}`, dir], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true, // a Ctrl-C in the terminal must not end the guard
  });
  guard.on('error', () => undefined); // no shell: the ordinary ways of stopping remain
  guard.stdin.on('error', () => undefined);
  guard.unref();
  return () => {
    guard.kill('SIGKILL');
    guard.stdin.destroy();
  };
}
