import { Program } from '../../../server/testing/program.ts';

const RESTART_AFTER_MS = 1000;

/** A program that is started again whenever it ends, as a service manager does. */
export class KeptProgram {
  readonly #start: () => Program;
  #program: Program;
  #isOver = false;

  constructor(words: readonly string[], env: Record<string, string> = {}) {
    this.#start = () => new Program(words, env);
    this.#program = this.#run();
  }

  get program(): Program {
    return this.#program;
  }

  /** Ends the program with SIGKILL, and starts it again at once. */
  async kill(): Promise<void> {
    const killed = this.#program;
    this.#program = this.#run();
    await killed.kill();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#program.kill();
  }

  #run(): Program {
    const program = this.#start();
    program.child.once('close', () => {
      setTimeout(() => {
        if (!this.#isOver && this.#program === program) this.#program = this.#run();
      }, RESTART_AFTER_MS).unref();
    });
    return program;
  }
}
