import { Worker } from 'node:worker_threads';
import { fail, ok, type Result } from '../../shared/base/result.ts';
import { PROGRAMS } from '../package-info.ts';
import { openCore } from './open-core.ts';
import { DatabaseError } from './sqlite.ts';
import type { StoreCore } from './store-core.ts';
import type { Answers, FromStore, Question, StoreTask, ToStore } from './thread-messages.ts';

/** Asks an open store. Every question is answered, or rejected with a `DatabaseError`. */
export type StoreLink = {
  ask<Q extends Question>(question: Q): Promise<Answers[Q['ask']]>;
  /** Closes the file. */
  close(): Promise<void>;
};

/** Answers a question about a store. */
export function answerOf(core: StoreCore, question: Question): Answers[keyof Answers] {
  switch (question.ask) {
    case 'write':
      return void core.write(question.batch);
    case 'read':
      return core.read(question.query);
    case 'time-of-event':
      return core.timeOfEvent(question.source, question.seq);
    case 'costs':
      return core.costs(question.query);
    case 'facts':
      return core.facts();
    case 'close':
      return void core.close();
  }
}

/** Opens a store in this thread: for tests, and for what has no page to keep quick. The error is one line. */
export async function linkHere({ path, ...retention }: StoreTask): Promise<Result<StoreLink, string>> {
  const core = await openCore(path, retention);
  if (!core.ok) return core;
  const ask: StoreLink['ask'] = async (question) => answerOf(core.value, question) as Answers[(typeof question)['ask']]; // `answerOf` answers what was asked
  return ok({ ask, close: () => ask({ ask: 'close' }) });
}

/** Opens a store in a thread of its own, so that a slow disk delays nothing else. The error is one line. */
export async function linkInThread(task: StoreTask): Promise<Result<StoreLink, string>> {
  const thread = new StoreThread(task);
  const refusal = await thread.opened;
  if (refusal === null) return ok(thread);
  await thread.end();
  return fail(refusal);
}

type Pending = { resolve(answer: never): void; reject(error: Error): void };

class StoreThread implements StoreLink {
  readonly opened: Promise<string | null>;
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  #asked = 0;
  #ended: string | undefined;

  constructor(task: StoreTask) {
    // Node 22 to 24 warn that their SQLite is experimental.
    const execArgv = [...process.execArgv, '--disable-warning=ExperimentalWarning'];
    this.#worker = new Worker(PROGRAMS.store, { workerData: task, execArgv });
    this.opened = new Promise((resolve) => {
      this.#worker.on('message', (message: FromStore) => {
        if (message.type === 'opened') resolve(message.refusal);
        else this.#answered(message);
      });
      this.#worker.on('error', (error) => {
        this.#ended ??= error.message;
        resolve(`--store ${task.path}: ${error.message}. Name another file.`);
      });
    });
    this.#worker.on('exit', () => {
      this.#ended ??= 'the thread of the store has ended';
      for (const request of [...this.#pending.keys()]) this.#reject(request, this.#gone());
    });
  }

  ask<Q extends Question>(question: Q): Promise<Answers[Q['ask']]> {
    if (this.#ended !== undefined) return Promise.reject(this.#gone());
    const request = ++this.#asked;
    return new Promise((resolve, reject) => {
      this.#pending.set(request, { resolve, reject });
      this.#worker.postMessage({ request, question } satisfies ToStore);
    });
  }

  async close(): Promise<void> {
    await this.ask({ ask: 'close' }).catch(() => undefined);
    await this.end();
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #answered(message: Exclude<FromStore, { type: 'opened' }>): void {
    if (message.type === 'fault') {
      return this.#reject(message.request, new DatabaseError(message.fault, message.quote));
    }
    this.#pending.get(message.request)?.resolve(message.answer as never); // the thread answers what was asked
    this.#pending.delete(message.request);
  }

  #reject(request: number, error: Error): void {
    this.#pending.get(request)?.reject(error);
    this.#pending.delete(request);
  }

  #gone(): DatabaseError {
    return new DatabaseError('other', this.#ended ?? '');
  }
}
