import { Worker } from 'node:worker_threads';
import { problem } from '../../shared/wire/problems/problem.ts';
import { PROGRAMS } from '../package-info.ts';
import { type FileFacts, OpenError, type ReadFile, type ReadOptions, type TakeSignal } from './read-file.ts';
import { type FromReader, MORE, type ReadTask } from './read-messages.ts';

/** The largest line that is read takes about half of this memory. */
const HEAP_MB = 160;

/**
 * Reads a recording in a thread of its own, so that the rest of the process goes on meanwhile. What the file may cost
 * is bounded line by line: the limit of the thread is only the last resort.
 */
export const readInThread: ReadFile = (path, take, options = {}) => new Reading(path, take, options).done;

/** One reading thread, and what it has read so far. */
class Reading {
  readonly done: Promise<FileFacts>;
  readonly #path: string;
  readonly #take: TakeSignal;
  readonly #worker: Worker;
  readonly #facts: { -readonly [name in keyof FileFacts]: FileFacts[name] } = {
    ...{ header: undefined, end: undefined, isCutShort: true, signals: 0, badCount: 0, badLines: [], skipped: null },
  };
  #turn: Promise<unknown> = Promise.resolve();
  #resolve!: (facts: FileFacts) => void;
  #reject!: (error: unknown) => void;

  constructor(path: string, take: TakeSignal, { limits, signal }: ReadOptions) {
    this.#path = path;
    this.#take = take;
    this.#worker = new Worker(PROGRAMS.recordingReader, {
      workerData: { path, limits } satisfies ReadTask,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    const abort = () => this.#reject(signal?.reason);
    this.done = new Promise<FileFacts>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    }).finally(() => {
      signal?.removeEventListener('abort', abort);
      return this.#worker.terminate();
    });
    this.#worker.on('message', (message: FromReader) => {
      this.#turn = this.#turn.then(() => this.#process(message)).catch(this.#reject);
    });
    this.#worker.on('error', (error: NodeJS.ErrnoException) => this.#reject(this.#faultOf(error)));
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  }

  async #process(message: FromReader): Promise<void> {
    if (message.type === 'fault') throw new OpenError(this.#path, message.problem);
    Object.assign(this.#facts, message.facts);
    for (const signal of message.signals) this.#take(signal, this.#facts);
    if (message.type === 'end') return this.#resolve(this.#facts);
    await new Promise((resolve) => setImmediate(resolve)); // a long file must not delay other work
    this.#worker.postMessage(MORE);
  }

  #faultOf(error: NodeJS.ErrnoException): Error {
    if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return error;
    return new OpenError(this.#path, problem('recording-too-large', { part: 'memory', megabytes: HEAP_MB }));
  }
}
