import { type ChildProcess, spawn } from 'node:child_process';
import type { RedisUrl } from '../../../shared/base/redis-url.ts';
import { PROGRAMS } from '../../package-info.ts';

/**
 * Restores the settings of servers if this process ends without restoring them, for example by SIGKILL.
 *
 *   us ──pipe── sh: reads until the pipe closes, then starts the program that restores
 *
 * The waiting process is a shell, which takes a megabyte. Logins travel through the pipe, never in arguments.
 */
export class SettingsGuard {
  #shell: ChildProcess | undefined;

  /** Guards one more server. */
  add(server: RedisUrl): void {
    this.#shell ??= this.#start();
    this.#shell.stdin?.write(`${JSON.stringify(server)}\n`);
  }

  /** Ends the guard: the settings are restored, or the next run restores them. */
  end(): void {
    this.#shell?.kill('SIGKILL');
    this.#shell?.stdin?.destroy();
    this.#shell = undefined;
  }

  #start(): ChildProcess {
    const script = 'servers=$(cat); [ -n "$servers" ] && printf "%s" "$servers" | "$0" "$1"';
    const shell = spawn('sh', ['-c', script, process.execPath, PROGRAMS.settingsRestorer], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true, // a Ctrl-C in the terminal must not end the guard
    });
    shell.on('error', () => undefined); // no shell: the next run restores the setting
    shell.stdin.on('error', () => undefined);
    shell.unref();
    return shell;
  }
}
