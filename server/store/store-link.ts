import { Worker } from 'node:worker_threads';
import { fail, ok, type Result } from '../../shared/base/result.ts';
import { PROGRAMS } from '../package-info.ts';
import { DatabaseError } from './database.ts';
import type { StoreCore } from './store-core.ts';
import { shownStore } from './store-name.ts';
import type { Answers, FromStore, Question, StoreTask, ToStore } from './thread-messages.ts';

/** Sends requests to an open store. Every request is answered, or rejected with a `DatabaseError`. */
export type StoreLink = {
  ask<Q extends Question>(question: Q): Promise<Answers[Q['ask']]>;
  close(): Promise<void>;
};

/** Answers requests about an open store one after the other: a request waits until the previous one is answered. */
export class Asked {
  readonly #core: StoreCore;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(core: StoreCore) {
    this.#core = core;
  }

  ask<Q extends Question>(question: Q): Promise<Answers[Q['ask']]> {
    const answer = this.#turn.then(() => this.#answer(question));
    this.#turn = answer.catch(() => undefined);
    return answer as Promise<Answers[Q['ask']]>; // `#answer` answers what was asked
  }

  #answer(question: Question): Promise<unknown> {
    switch (question.ask) {
      case 'write':
        return this.#core.write(question.batch);
      case 'read':
        return this.#core.read(question.query);
      case 'read-back':
        return this.#core.readBack(question.query);
      case 'time-of-event':
        return this.#core.timeOfEvent(question.source, question.seq);
      case 'costs':
        return this.#core.costs(question.query);
      case 'lock-hours':
        return this.#core.lockHours(question.query);
      case 'facts':
        return this.#core.facts();
      case 'close':
        return this.#core.close();
    }
  }
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
        resolve(`--store ${shownStore(task.path)}: ${error.message}. Name another one.`);
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
