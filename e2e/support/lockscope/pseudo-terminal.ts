import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { waitFor } from '../wait-for.ts';
import { TextScreen } from './text-screen.ts';

const MAIN = fileURLToPath(new URL('../../../dist/server/main.js', import.meta.url));
/**
 * Prints the terminal and the process id, runs the program, then prints its exit code and the modes of the terminal.
 * With EXIT_FILE, the shell outlives its terminal and writes the exit code to that file.
 */
const SHELL = `[ -z "$EXIT_FILE" ] || trap "" HUP
stty rows "$1" cols "$2"; shift 2; tty
sh -c 'echo "pid $$"; exec "$@"' sh "$@"
code=$?; [ -z "$EXIT_FILE" ] || echo $code > "$EXIT_FILE"; echo; echo "exit $code"; stty -a; echo end`;

/** Lockscope in a real pseudo-terminal, which `script` of util-linux opens, and the screen that it draws. */
export class PseudoTerminal {
  readonly screen = new TextScreen();
  readonly #child: ChildProcess;
  #output = '';

  constructor(words: readonly string[], { columns = 80, rows = 24, env = {} as Record<string, string> } = {}) {
    if (!existsSync(MAIN)) throw new Error('Lockscope is not built: npm run build:server');
    const { NO_COLOR: _, FORCE_COLOR: _2, ...own } = process.env;
    const program = ['sh', '-c', SHELL, 'sh', String(rows), String(columns), process.execPath, MAIN, ...words];
    this.#child = spawn('script', ['-qfc', program.map(quoted).join(' '), '/dev/null'], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...own, TERM: 'xterm-256color', LC_ALL: 'C.UTF-8', SHELL: '/bin/sh', ...env },
    });
    this.#child.once('error', () => {
      this.#output += 'exit: there is no program script; on Debian: apt-get install bsdutils';
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text;
      this.screen.write(text);
    });
  }

  /** Everything that was written so far. */
  get output(): string {
    return this.#output;
  }

  press(keys: string): void {
    this.#child.stdin?.write(keys);
  }

  /** Changes the size of the terminal, as a window manager does: the kernel sends SIGWINCH. */
  async resize(columns: number, rows: number): Promise<void> {
    const tty = await this.#found('the name of the terminal', /^(\/dev\/\S+)/m);
    execFileSync('stty', ['-F', tty, 'rows', String(rows), 'cols', String(columns)]);
  }

  async pid(): Promise<number> {
    return Number(await this.#found('the process id', /^pid (\d+)/m));
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    process.kill(await this.pid(), signal);
  }

  /** Waits until the screen shows this, and returns its rows. */
  async shows(what: RegExp): Promise<string[]> {
    return waitFor(`the screen to show ${what}`, (missing) => {
      const rows = this.screen.rows();
      return what.test(rows.join('\n')) ? rows : missing(`\n${rows.join('\n')}`);
    });
  }

  /** Waits until the program has ended. Returns its exit code, and the modes of the terminal as `stty` names them. */
  async ended(): Promise<{ exitCode: number; settings: string[] }> {
    const exitCode = Number(await this.#found('the program to end', /^exit (\d+)/m));
    await this.#found('the modes of the terminal', /^(end)/m);
    const [, settings = ''] = this.#output.split(/^exit \d+/m);
    return { exitCode, settings: settings.split(/[\s;]+/) };
  }

  /** Closes the terminal: the kernel sends SIGHUP to the program. */
  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'close');
  }

  #found(what: string, pattern: RegExp): Promise<string> {
    return waitFor(what, (missing) => pattern.exec(this.#output)?.[1] ?? missing(this.#output.slice(-2000)));
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
