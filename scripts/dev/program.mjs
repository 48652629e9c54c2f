import { spawn } from 'node:child_process';

/**
 * A Node program that is started again and again, one process at a time. `onReady` is called each time a piece of its
 * output begins with `readyText`, `onEnd` when the program ends by itself. All other output is printed.
 */
export class Program {
  #words;
  #readyText;
  #onReady;
  #onEnd;
  #child;
  /** Settles after the last restart so far: restarts run one after the other. */
  #turn = Promise.resolve();
  #isClosed = false;

  constructor(words, { readyText, onReady, onEnd }) {
    this.#words = words;
    this.#readyText = readyText;
    this.#onReady = onReady;
    this.#onEnd = onEnd;
  }

  /** The id of the process that was started last; undefined before the first start and after `close`. */
  get pid() {
    return this.#child?.pid;
  }

  /** Ends the running process, if any, and starts the next one. Resolves once that is started. */
  restart() {
    return this.#inTurn(() => this.#start());
  }

  /** Ends the running process. `restart` starts no further one. */
  close() {
    this.#isClosed = true;
    return this.#inTurn(() => undefined);
  }

  #inTurn(next) {
    this.#turn = this.#turn.then(async () => {
      await this.#end();
      if (!this.#isClosed) next();
    });
    return this.#turn;
  }

  #start() {
    // With this variable, Lockscope ends together with us, as it does with an npx that started it.
    const env = { ...process.env, npm_command: 'exec' };
    const child = spawn(process.execPath, this.#words, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    this.#child = child;
    child.stdout.on('data', (chunk) => {
      if (String(chunk).startsWith(this.#readyText)) this.#onReady();
      else process.stdout.write(chunk);
    });
    child.once('exit', (code) => {
      if (this.#child === child) this.#onEnd(code);
    });
  }

  async #end() {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }
}
